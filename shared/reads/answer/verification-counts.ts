import { z } from '@hono/zod-openapi';

/** How many requests there are of each verification of their claims, and what these come to. */

/** What the claims of a bot are together. */
export const verificationSummary = z
  .enum(['verified', 'spoofed', 'mixed', 'unverifiable', 'pending'])
  .openapi({
    description:
      'verified: every request is proved to be of the bot. spoofed: every one is of a proven impostor. mixed: at least two of the three occur: proved requests, impostors, and claims that are not decided. The counts say how many. pending: none is decided, and some wait for a decision. unverifiable: none can be decided.',
  });

interface ClaimCounts {
  readonly verified_requests: number;
  readonly spoofed_requests: number;
  readonly pending_requests: number;
  readonly unverifiable_requests: number;
}

/**
 * The one rule for what claims come to, in every answer (`verification_status`, `rejected_who`): a word is used only where it is true
 * of all claims. Open claims next to decided ones make it `mixed`, since anyone can make them.
 */
export function summariseClaims(row: ClaimCounts): z.input<typeof verificationSummary> {
  const { verified_requests: verified, spoofed_requests: spoofed, pending_requests: pending } = row;
  const open = pending + row.unverifiable_requests;
  if (verified + spoofed === 0) return pending > 0 ? 'pending' : 'unverifiable';
  if (open > 0 || (verified > 0 && spoofed > 0)) return 'mixed';
  return verified > 0 ? 'verified' : 'spoofed';
}

/**
 * Fields of an answer by their metric of the same name.
 * @param rows by `verification`, as it is resolved today (shared/reads/sql/verification.ts).
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
