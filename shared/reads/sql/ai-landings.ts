import { MINUTE_MS } from '../../durations.js';
import { isPage } from './served-page.js';

/**
 * When a person whom an AI assistant sent lands on a page, and which landings are one visit: the one rule of all answers. The view in
 * shared/store/migrations/0001_baseline/rollups/ai_visits.sql states it too.
 */

/** Half hours of the clock: each lies in one hour, so that the hours of a rollup add up. */
export const VISIT_MINUTES = 30;
export const VISIT_MS = VISIT_MINUTES * MINUTE_MS;

/** SQL of the half hour of an instant. @param ms SQL of milliseconds. */
export function halfHourOf(ms: string): string {
  return `intDiv(${ms}, ${VISIT_MS})`;
}

/** SQL over `requests AS r`: a person asked for a page. Some sources log no method. */
export const isLanding = `r.traffic_class = 'human' AND r.method IN ('GET', '') AND ${isPage('r.file_type')}`;

/** SQL over `requests AS r`: the page came (2xx) or failed (4xx, 5xx). A redirect lands elsewhere, and 304 answers a reload. */
export const isAiLanding = `${isLanding} AND r.ai_operator != '' AND intDiv(r.status, 100) IN (2, 4, 5)`;

/**
 * SQL over `requests AS r` of what landings of one visit have in common: client, page and half hour, as 64 bits. A client is an address
 * and a user agent; where the address is not known it is the user agent alone.
 */
export const visitDigest = `sipHash64(r.client_ip, r.user_agent, r.path, ${halfHourOf('toUnixTimestamp64Milli(r.timestamp)')})`;
