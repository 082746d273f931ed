/** How a bot fares at the website (spec §3.9), told from the statuses that it was answered with. */

export const accessClasses = ['served', 'rejected', 'mixed', 'none'] as const;
export const rejectedGroups = ['impersonators_only', 'verified_only', 'both', 'unverifiable'] as const;

/** Requests of a bot by how they were answered, and whether the claims of the rejected ones are decided. */
export interface Rejections {
  readonly served: number;
  readonly rejected: number;
  readonly rejected_verified: number;
  readonly rejected_spoofed: number;
}

/** served: 2xx/3xx and no rejection; rejected: the reverse; mixed: both; none: neither (other 4xx, 5xx, no answer). */
export function classifyAccess({
  served,
  rejected,
}: Pick<Rejections, 'served' | 'rejected'>): (typeof accessClasses)[number] {
  if (served > 0) return rejected > 0 ? 'mixed' : 'served';
  return rejected > 0 ? 'rejected' : 'none';
}

/**
 * Who was turned away, told from the rejected requests alone; null where there are none. Only decided claims speak:
 * verified ones are the bot, spoofed ones impersonators. Where no rejected request is decided (the bot publishes no
 * method, or the answer is still open) it is `unverifiable`.
 */
export function classifyRejected(row: Omit<Rejections, 'served'>): (typeof rejectedGroups)[number] | null {
  if (row.rejected === 0) return null;
  if (row.rejected_verified > 0) return row.rejected_spoofed > 0 ? 'both' : 'verified_only';
  return row.rejected_spoofed > 0 ? 'impersonators_only' : 'unverifiable';
}
