import type { WebsitePrivacy } from '../../../shared/control/domain/model.js';
import type { Enrichment } from '../../../shared/requests/enriched-request.js';

/** What is kept of a website's visitors (docs/privacy.md). */
export type KeptOfVisitors = Pick<WebsitePrivacy, 'addressDays' | 'botsOnly'>;

export const everything: KeptOfVisitors = { addressDays: null, botsOnly: false };

/** Whether it is stored and told of: where people are not taken, all but theirs. Pure. */
export function isKept(
  { botsOnly }: KeptOfVisitors,
  { traffic_class }: Pick<Enrichment, 'traffic_class'>,
): boolean {
  return !botsOnly || traffic_class !== 'human';
}

/** For `address_days` of a row: 0 where its address lives as long as the row, which it never outlives. */
export function addressDaysOf({ addressDays }: KeptOfVisitors, retentionDays: number): number {
  return addressDays === null || addressDays >= retentionDays ? 0 : addressDays;
}
