/**
 * How a bot's claim stands today. A row whose verdict was still open when it was stored says 'pending' for ever;
 * the verdict that came later sits in `bot_verdicts` and is applied here, at read (ARCHITECTURE.md "Verification").
 */

/** What a late verdict may be. */
const verdicts = ['verified', 'spoofed', 'unverifiable'] as const;

interface ClaimColumns {
  readonly verification: string;
  readonly family: string;
  /** Address that made the claim; only looked at where the verification is 'pending'. */
  readonly ip: string;
}

/** SQL for one of 'verified' | 'spoofed' | 'unverifiable' | 'pending', and '' where no bot is claimed. */
export function resolvedVerification({ verification, family, ip }: ClaimColumns): string {
  const decided = (status: (typeof verdicts)[number]) =>
    `(${family}, ${ip}) IN (SELECT bot_family, client_ip FROM bot_verdicts FINAL WHERE status = '${status}'), '${status}'`;
  return `multiIf(${verification} != 'pending', toString(${verification}), ${verdicts.map(decided).join(', ')}, 'pending')`;
}

/** Over rows of `requests`. */
export const verificationOfRequest = resolvedVerification({
  verification: 'bot_verification',
  family: 'bot_family',
  ip: 'client_ip',
});

/** Over rollups that keep the address of pending rows alone (bots_per_hour). */
export const verificationOfPending = resolvedVerification({
  verification: 'bot_verification',
  family: 'bot_family',
  ip: 'pending_ip',
});
