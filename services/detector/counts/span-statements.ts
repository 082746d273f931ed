import { MINUTE_MS } from '../../../shared/durations.js';
import type { Clause } from '../../../shared/reads/sql/clause.js';
import { ipText, isKnownIp } from '../../../shared/reads/sql/client-ip.js';
import { PAYMENT_REQUIRED, rejectionStatuses } from '../../../shared/reads/sql/metrics.js';
import type { CountedSpans } from './counts-reader.js';
import { MAX_AGENT, MAX_TEXT } from './evidence-text.js';
import { MAX_BOTS } from './span-counts.js';

/**
 * Statements that count spans, each for many websites. An answer depends only on the set of rows: samples are
 * the least or greatest values, and orders have no ties. Texts are compared by their bytes.
 */

/** Most paths of each kind of result. */
const MAX_PATHS = 10;

/** In code points: at least as many code units, which evidence-text.ts cuts. */
export const cutText = (text: string) => `substringUTF8(${text}, 1, ${MAX_TEXT})`;
export const cutAgent = (text: string) => `substringUTF8(${text}, 1, ${MAX_AGENT})`;

export const NOT_FOUND = 'r.status = 404';
/** 402 asks a crawler to pay, and contains no page either. */
export const REJECTED = `r.status IN (${[...rejectionStatuses, PAYMENT_REQUIRED].join(', ')})`;
const CLIENT_ERROR = 'r.status >= 400 AND r.status < 500';
export const SERVER_ERROR = 'r.status >= 500 AND r.status < 600';
const FAILED = `(${NOT_FOUND} OR ${REJECTED} OR ${SERVER_ERROR})`;
export const IS_BOT = "r.traffic_class != 'human'";

/** A span's index. */
export function spanNumber({ from, to, lengthMs }: CountedSpans): string {
  if (to - from === lengthMs) return 'toUInt16(0)';
  return 'toUInt16(intDiv(toUnixTimestamp(r.timestamp) - {from_s: UInt32}, {length_s: UInt32}))';
}

/**
 * The engine groups numbers faster than texts. With 64 bits, a collision among some thousands of ids is
 * unlikely.
 */
export const SITE = "CAST(sipHash64(r.website_id), 'UInt64')";

/** The SQL expression for a row's verdict: the stored one, or with late verdicts. */
export interface Verification {
  readonly sql: string;
  /** The tables that its statements read: a lagging replica lacks rows of the newest intervals. */
  readonly caughtUpWith: readonly string[];
}

export const storedVerification: Verification = { sql: 'r.bot_verification', caughtUpWith: ['requests'] };

/**
 * A pending row gets the later verdict for its website, family and address
 * (shared/reads/sql/verification.ts).
 */
export const lateVerification: Verification = {
  sql: `multiIf(r.bot_verification != 'pending', toString(r.bot_verification), ${[
    'verified',
    'spoofed',
    'unverifiable',
  ]
    .map(
      (status) =>
        `(r.website_id, r.bot_family, r.client_ip, '${status}') IN (${decidedClaims()}), '${status}'`,
    )
    .join(', ')}, 'pending')`,
  caughtUpWith: ['requests', 'bots_per_hour', 'claim_verdicts'],
};

/** @param spans of some hundred websites at most, since their ids are part of the statement */
export function ofSpans(spans: CountedSpans): Clause {
  const { websiteIds, from, to, lengthMs } = spans;
  return {
    sql: `r.website_id IN {website_ids: Array(String)}
  AND r.timestamp >= toDateTime64({from_s: UInt32}, 3, 'UTC') AND r.timestamp < toDateTime64({to_s: UInt32}, 3, 'UTC')`,
    params: {
      website_ids: websiteIds,
      from_s: from / 1000,
      to_s: to / 1000,
      length_s: lengthMs / 1000,
    },
  };
}

/**
 * Website, family, address and verdict of the claims that were pending in the hours of the spans;
 * bots_per_hour has their addresses.
 */
function decidedClaims(): string {
  const hour = (second: string) => `toStartOfHour(toDateTime(${second}, 'UTC'))`;
  return `SELECT website_id, bot_family, client_ip, tupleElement(max(decided), 'status') FROM claim_verdicts
WHERE website_id IN {website_ids: Array(String)} AND (website_id, bot_family, client_ip) IN (
  SELECT website_id, bot_family, pending_ip FROM bots_per_hour
  WHERE website_id IN {website_ids: Array(String)} AND bot_verification = 'pending'
    AND hour >= ${hour('{from_s: UInt32}')} AND hour <= ${hour('{to_s: UInt32}')}
)
GROUP BY website_id, bot_family, client_ip`;
}

/** The websites with late verdicts in the spans. */
export function decidedWebsites(spans: CountedSpans): Clause {
  return {
    sql: `SELECT DISTINCT website_id AS website FROM (${decidedClaims()})`,
    params: ofSpans(spans).params,
  };
}

/** The first and the last of the requests, in milliseconds since the epoch; both 0: there is none. */
function timesOf(condition: string): string {
  return `[toUnixTimestamp64Milli(minIf(r.timestamp, ${condition})), toUnixTimestamp64Milli(maxIf(r.timestamp, ${condition}))]`;
}

export function spanTotals(spans: CountedSpans, { sql: verification }: Verification): Clause {
  const { sql: where, params } = ofSpans(spans);
  const minute = '{from_s: UInt32}, 60';
  const minutes =
    spans.lengthMs === 5 * MINUTE_MS
      ? `groupBitOr(bitShiftLeft(1, intDiv(toUnixTimestamp(r.timestamp) - ${minute}) % 5))`
      : '0';
  return {
    sql: `SELECT min(r.website_id) AS website, ${SITE} AS site, ${spanNumber(spans)} AS span,
  count() AS requests,
  countIf(r.traffic_class = 'human') AS people,
  countIf(r.traffic_class = 'search_bot' AND ${verification} != 'spoofed') AS crawlers,
  countIf(r.traffic_class = 'ai_bot' AND ${verification} != 'spoofed') AS aiBots,
  countIf(${verification} = 'spoofed') AS spoofed,
  countIf(r.traffic_class = 'undeclared_agent') AS undeclared,
  countIf(${CLIENT_ERROR}) AS status4xx,
  countIf(${NOT_FOUND}) AS notFound,
  countIf(${REJECTED}) AS rejected,
  countIf(${SERVER_ERROR}) AS status5xx,
  ${timesOf(NOT_FOUND)} AS notFoundAt,
  ${timesOf(REJECTED)} AS rejectedAt,
  ${timesOf(SERVER_ERROR)} AS status5xxAt,
  count(r.time_taken_ms) AS timed,
  ifNull(sum(r.time_taken_ms), 0) AS timeTakenMs,
  countIf(${IS_BOT} AND ${NOT_FOUND}) AS botsNotFound,
  countIf(${IS_BOT} AND ${CLIENT_ERROR} AND NOT ${NOT_FOUND}) AS botsOther4xx,
  countIf(${IS_BOT} AND ${SERVER_ERROR}) AS bots5xx,
  countIf(r.bot_verification = 'pending') AS pending,
  ${minutes} AS minuteBits
FROM requests AS r
PREWHERE ${where}
GROUP BY site, span`,
    params,
  };
}

/** Verifiable claims come first. */
export function spanBots(spans: CountedSpans, { sql: verification }: Verification): Clause {
  const { sql: where, params } = ofSpans(spans);
  return {
    sql: `SELECT r.website_id AS website, ${spanNumber(spans)} AS span, ${cutText('r.bot_name')} AS name, ${cutText('r.bot_family')} AS family,
  ${cutText('r.bot_operator')} AS operator, ${cutText('r.bot_category')} AS category, ${verification} AS verified_as, verified_as AS verification,
  count() AS requests,
  countIf(${NOT_FOUND}) AS notFound,
  countIf(${REJECTED}) AS rejected,
  countIf(${SERVER_ERROR}) AS status5xx,
  ${knownIpText('max(r.client_ip)')} AS sampleIp,
  max(${cutAgent('r.user_agent')}) AS sampleUserAgent,
  if(max(${FAILED}), minIf(${cutText('r.path')}, ${FAILED}), min(${cutText('r.path')})) AS samplePath
FROM requests AS r
PREWHERE ${where} AND ${IS_BOT}
GROUP BY website, span, r.bot_name, r.bot_family, r.bot_operator, r.bot_category, verified_as
ORDER BY verified_as NOT IN ('unverifiable', '') DESC, requests DESC, r.bot_name, r.bot_family, r.bot_operator, r.bot_category, verified_as
LIMIT ${MAX_BOTS} BY website, span`,
    params,
  };
}

/** The paths with most requests by kind of result, paths without probes first. */
export function spanPaths(spans: CountedSpans, { sql: verification }: Verification): Clause {
  const { sql: where, params } = ofSpans(spans);
  return {
    sql: `SELECT website, span, asked AS path, status, requests
FROM (
  SELECT min(r.website_id) AS website, ${SITE} AS site, ${spanNumber(spans)} AS span, sipHash64(r.path) AS path_hash, r.status AS status,
    multiIf(${NOT_FOUND}, 1, ${CLIENT_ERROR}, 2, ${SERVER_ERROR}, 3, 0) AS answer,
    count() AS requests,
    min(${cutText('r.path')}) AS asked,
    max(r.is_probe AND ${verification} != 'verified') AS is_probed
  FROM requests AS r
  PREWHERE ${where}
  GROUP BY site, span, path_hash, status
)
ORDER BY site, span, answer, is_probed, requests DESC, asked, status
LIMIT ${MAX_PATHS} BY site, span, answer`,
    params,
  };
}

const knownIpText = (column: string) => `if(${isKnownIp(column)}, ${ipText(column)}, '')`;
