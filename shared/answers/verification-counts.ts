import { z } from '@hono/zod-openapi';

/** How many requests there are of each verification of their claims, and what these come to. */

/** What the claims of a bot are together. */
export const verificationSummary = z
  .enum(['verified', 'spoofed', 'mixed', 'unverifiable', 'pending'])
  .openapi({
    description:
      'verified or spoofed: all that could be decided was so; mixed: both occurred; pending: nothing decided yet; unverifiable: nothing can be.',
  });

interface ClaimCounts {
  readonly verified_requests: number;
  readonly spoofed_requests: number;
  readonly pending_requests: number;
}

/**
 * The one rule for what claims come to, in every answer (`verification_status`, `rejected_who`): only decided claims speak.
 * Verified ones are the bot, spoofed ones impersonators. Without a decided claim it is `pending` while a decision is open, else
 * `unverifiable`. Unproved claims never change what decided ones say: answers give their number apart.
 */
export function summariseClaims(row: ClaimCounts): z.input<typeof verificationSummary> {
  if (row.verified_requests > 0) return row.spoofed_requests > 0 ? 'mixed' : 'verified';
  if (row.spoofed_requests > 0) return 'spoofed';
  return row.pending_requests > 0 ? 'pending' : 'unverifiable';
}

/**
 * Fields of an answer by their metric of the same name.
 * @param rows by `verification`, as it is resolved today (shared/queries/verification.ts).
 */
export function countByVerification(rows: readonly { verification: string; requests: number }[]) {
  const of = (verification: string) =>
    rows.reduce((sum, row) => sum + (row.verification === verification ? row.requests : 0), 0);
  return {
    verified_requests: of('verified'),
    spoofed_requests: of('spoofed'),
    unverifiable_requests: of('unverifiable'),
    pending_requests: of('pending'),
  };
}
