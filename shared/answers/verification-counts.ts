/** How many requests there are of each verification of their claims. */

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
