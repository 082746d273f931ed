import { MINUTE_MS } from '../../durations.js';
import { isPage } from './served-page.js';

/**
 * Landings of people whom an AI assistant sent, and the landings that are one visit. All answers use this rule. The view in
 * shared/store/migrations/0001_baseline/rollups/ai_visits.sql repeats it.
 */

/** Half hours of the clock: each is in one hour, so that the hours of a rollup add up. */
export const VISIT_MINUTES = 30;
export const VISIT_MS = VISIT_MINUTES * MINUTE_MS;

/** SQL for the half-hour bucket of an instant. @param ms SQL of milliseconds. */
export function halfHourOf(ms: string): string {
  return `intDiv(${ms}, ${VISIT_MS})`;
}

/** SQL over `requests AS r`: a person requested a page. Some sources log no method. */
export const isLanding = `r.traffic_class = 'human' AND r.method IN ('GET', '') AND ${isPage('r.file_type')}`;

/** SQL over `requests AS r`: the page was served (2xx) or failed (4xx, 5xx). A redirect lands elsewhere, and 304 answers a reload. */
export const isAiLanding = `${isLanding} AND r.ai_operator != '' AND intDiv(r.status, 100) IN (2, 4, 5)`;

/**
 * SQL over `requests AS r` of the key of a visit, as 64 bits: client, page and half hour. A client is an address and a user agent, or only
 * the user agent if the address is unknown.
 */
export const visitDigest = `sipHash64(r.client_ip, r.user_agent, r.path, ${halfHourOf('toUnixTimestamp64Milli(r.timestamp)')})`;
