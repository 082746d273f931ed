import type { WebsitePrivacy } from '../../../shared/control/domain/model.js';
import type { Enrichment } from '../../../shared/requests/enriched-request.js';

/** Which data a website stores about its visitors (docs/privacy.md). */
export type KeptOfVisitors = Pick<WebsitePrivacy, 'addressDays' | 'botsOnly'>;

export const everything: KeptOfVisitors = { addressDays: null, botsOnly: false };

/** Whether a request is stored and reported: all requests, or all except those of people. Pure. */
export function isKept(
  { botsOnly }: KeptOfVisitors,
  { traffic_class }: Pick<Enrichment, 'traffic_class'>,
): boolean {
  return !botsOnly || traffic_class !== 'human';
}

/**
 * The value of `address_days` in a row: 0 if its address has the same retention as the row, which is the
 * longest possible one.
 */
export function addressDaysOf({ addressDays }: KeptOfVisitors, retentionDays: number): number {
  return addressDays === null || addressDays >= retentionDays ? 0 : addressDays;
}
