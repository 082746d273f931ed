import { z } from '@hono/zod-openapi';

/** Counts the requests of each verification result, and summarises them. */

/** Summary of the claims of a bot. */
export const verificationSummary = z
  .enum(['verified', 'spoofed', 'mixed', 'unverifiable', 'pending'])
  .openapi({
    description:
      'verified: every request is verified. spoofed: every request is from a proven impostor. mixed: at least two of these occur: verified requests, impostors, undecided claims. The counts show how many. pending: none is decided, and some are pending. unverifiable: none can be decided.',
  });

interface ClaimCounts {
  readonly verified_requests: number;
  readonly spoofed_requests: number;
  readonly pending_requests: number;
  readonly unverifiable_requests: number;
}

/**
 * The summary rule of every answer (`verification_status`, `rejected_who`): a word is used only if it is true of all claims. Undecided
 * claims next to decided ones give `mixed`, because anyone can make claims.
 */
export function summariseClaims(row: ClaimCounts): z.input<typeof verificationSummary> {
  const { verified_requests: verified, spoofed_requests: spoofed, pending_requests: pending } = row;
  const open = pending + row.unverifiable_requests;
  if (verified + spoofed === 0) return pending > 0 ? 'pending' : 'unverifiable';
  if (open > 0 || (verified > 0 && spoofed > 0)) return 'mixed';
  return verified > 0 ? 'verified' : 'spoofed';
}

/**
 * Fields of an answer from the metric of the same name.
 * @param rows by `verification`, with its current value (shared/reads/sql/verification.ts).
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
