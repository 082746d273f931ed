import { MINUTE_MS } from '../../durations.js';
import { isPage } from './served-page.js';

/**
 * The words of all answers about visits. The view in shared/store/migrations/0001_baseline/rollups/ai_visits.sql repeats these rules.
 * - Page request of a person: from any source, with any status.
 * - Landing: a page request of a person whom an AI assistant sent, with a status of 2xx, 4xx or 5xx.
 * - Landing on an error: a landing with 4xx or 5xx.
 * - Visit: all page requests with 2xx of one client for one page in one half hour. It is an AI visit if these are landings, and a human visit
 *   from any source.
 */

/** Length of a visit. A half hour of the clock is within one hour, so that the hours of a rollup add up. */
export const VISIT_MINUTES = 30;
export const VISIT_MS = VISIT_MINUTES * MINUTE_MS;

/** SQL for the half-hour bucket of an instant. @param ms SQL of milliseconds. */
export function halfHourOf(ms: string): string {
  return `intDiv(${ms}, ${VISIT_MS})`;
}

/** SQL over `requests AS r`: a person requested a page. Some sources log no method. */
export const isHumanPageRequest = `r.traffic_class = 'human' AND r.method IN ('GET', '') AND ${isPage('r.file_type')}`;

/** SQL over `requests AS r`: the page was served (2xx) or failed (4xx, 5xx). A redirect lands elsewhere, and 304 answers a reload. */
export const isAiLanding = `${isHumanPageRequest} AND r.ai_operator != '' AND intDiv(r.status, 100) IN (2, 4, 5)`;

/**
 * SQL over `requests AS r` of the key of a visit, as 64 bits: client, page and half hour. A client is an address and a user agent, or only
 * the user agent if the address is unknown.
 */
export const visitDigest = `sipHash64(r.client_ip, r.user_agent, r.path, ${halfHourOf('toUnixTimestamp64Milli(r.timestamp)')})`;
