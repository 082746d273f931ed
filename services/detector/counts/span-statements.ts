import { MINUTE_MS } from '../../../shared/durations.js';
import type { Clause } from '../../../shared/queries/clause.js';
import { ipText, isKnownIp } from '../../../shared/queries/client-ip.js';
import { PAYMENT_REQUIRED, rejectionStatuses } from '../../../shared/queries/metrics.js';
import { isPage } from '../../../shared/queries/served-page.js';
import type { CountedSpans } from './counts-reader.js';
import { MAX_AGENT, MAX_TEXT } from './evidence-text.js';
import { LEAST_PAGE_SHARE, LEAST_PROBES_OF_PROBER, leastPagesOf } from './named-addresses.js';
import { MAX_DISTINCT_PATHS } from './span-counts.js';

/**
 * The statements that count spans, each for many websites. An answer depends on nothing but the rows, not even on their order: examples are the least
 * or greatest values, and orders have no ties. Texts compare by their bytes.
 */

/** Bots of a website and span: those whose claim is checked, and the others (unverifiable). */
export const checkedVerdicts: readonly string[] = ['verified', 'spoofed', 'pending', 'undeclared'];
export const MAX_CHECKED_BOTS = 200;
export const MAX_OTHER_BOTS = 120;
/** Addresses that a rule can name, and of the others those with most requests and those with most failures, in all and of each kind. */
export const MAX_NAMED = 200;
const MAX_HEAVY = 12;
const MAX_FAILED = 5;
const MAX_FAILING = 10;
const MAX_SAMPLES = 3;

/** In code points: at least as many code units, which evidence-text.ts cuts. */
const cutText = (text: string) => `substringUTF8(${text}, 1, ${MAX_TEXT})`;
const cutAgent = (text: string) => `substringUTF8(${text}, 1, ${MAX_AGENT})`;

const NOT_FOUND = 'r.status = 404';
/** 402 asks a crawler to pay: it gets no page either. */
const REJECTED = `r.status IN (${[...rejectionStatuses, PAYMENT_REQUIRED].join(', ')})`;
const CLIENT_ERROR = 'r.status >= 400 AND r.status < 500';
const SERVER_ERROR = 'r.status >= 500 AND r.status < 600';
const FAILED = `(${NOT_FOUND} OR ${REJECTED} OR ${SERVER_ERROR})`;
const IS_BOT = "r.traffic_class != 'human'";
const PAGE = isPage('r.file_type');

/** A span's number from the first one. */
function spanNumber({ from, to, lengthMs }: CountedSpans): string {
  if (to - from === lengthMs) return 'toUInt16(0)';
  return 'toUInt16(intDiv(toUnixTimestamp(r.timestamp) - {from_s: UInt32}, {length_s: UInt32}))';
}

/** The engine groups faster by numbers than by texts. 64 bits make a collision among some thousands of ids unlikely. */
const SITE = "CAST(sipHash64(r.website_id), 'UInt64')";

/** The expression for a row's verdict: as it was stored, or with late verdicts. */
export interface Verification {
  readonly sql: string;
  /** The tables that its statements read: a replica that lags lacks rows of the newest intervals. */
  readonly caughtUpWith: readonly string[];
}

export const storedVerification: Verification = { sql: 'r.bot_verification', caughtUpWith: ['requests'] };

/** A pending row gets the later verdict on its website, family and address (shared/queries/verification.ts). */
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

/** @param spans of some hundred websites at most: their ids are part of the statement */
function ofSpans(spans: CountedSpans): Clause {
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

/** Website, family, address and verdict of the claims that were pending in the hours of the spans; bots_per_hour has their addresses. */
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

export function spanBots(spans: CountedSpans, { sql: verification }: Verification): Clause {
  const { sql: where, params } = ofSpans(spans);
  const checked = checkedVerdicts.map((verdict) => `'${verdict}'`).join(', ');
  return {
    sql: `SELECT website, span, ${cutText('claimed')} AS name, ${cutText('of_family')} AS family, ${cutText('of_operator')} AS operator,
  ${cutText('of_category')} AS category, verified_as AS verification, requests, notFound, rejected, status5xx,
  ${knownIpText('ip')} AS sampleIp, agent AS sampleUserAgent, failed_path AS samplePath
FROM (
  SELECT *, row_number() OVER (
    PARTITION BY website, span, is_checked
    ORDER BY verified_as = 'verified' DESC, requests DESC, claimed, of_family, of_operator, of_category, verified_as
  ) AS place
  FROM (
    SELECT r.website_id AS website, ${spanNumber(spans)} AS span, r.bot_name AS claimed, r.bot_family AS of_family, r.bot_operator AS of_operator,
      r.bot_category AS of_category, ${verification} AS verified_as,
      verified_as IN (${checked}) AS is_checked,
      count() AS requests,
      countIf(${NOT_FOUND}) AS notFound,
      countIf(${REJECTED}) AS rejected,
      countIf(${SERVER_ERROR}) AS status5xx,
      max(r.client_ip) AS ip,
      max(${cutAgent('r.user_agent')}) AS agent,
      minIf(${cutText('r.path')}, ${FAILED}) AS failed_path
    FROM requests AS r
    PREWHERE ${where} AND ${IS_BOT}
    GROUP BY website, span, claimed, of_family, of_operator, of_category, verified_as
  )
)
WHERE place <= if(is_checked, ${MAX_CHECKED_BOTS}, ${MAX_OTHER_BOTS})
ORDER BY verified_as = 'verified' DESC, requests DESC, claimed, of_family, of_operator, of_category, verified_as`,
    params,
  };
}

/**
 * Ranks all addresses by their counts, then reads the texts of the best ranked. A rule can name an address that probes,
 * that scrapes, or whose claim is disproved (named-addresses.ts).
 */
export function spanClients(spans: CountedSpans, { sql: verification }: Verification): Clause {
  const { sql: where, params } = ofSpans(spans);
  const probe = `(r.is_probe AND ${verification} != 'verified')`;
  const probed = cutText("if(r.query = '', toString(r.path), concat(r.path, '?', r.query))");
  const hasOthers = spans.lists === 'all';
  const addresses = `SELECT ${SITE} AS site, ${spanNumber(spans)} AS span, r.client_ip AS ip,
    count() AS requests,
    countIf(${PAGE}) AS pages,
    ${hasOthers ? `countIf(${NOT_FOUND}) AS notFound, countIf(${REJECTED}) AS rejected, countIf(${SERVER_ERROR}) AS status5xx,` : ''}
    countIf(${probe}) AS probes,
    countIf(${verification} = 'spoofed') AS spoofed,
    countIf(${verification} = 'verified') AS verified,
    probes >= ${LEAST_PROBES_OF_PROBER} AS is_prober,
    pages >= {least_pages: UInt32} AND pages >= ${LEAST_PAGE_SHARE} * requests AND spoofed = 0 AND verified < requests AS is_scraper,
    is_prober OR is_scraper OR spoofed > 0 AS is_named
  FROM requests AS r
  PREWHERE ${where} AND ${isKnownIp('r.client_ip')}
  GROUP BY site, span, ip`;
  const most = (count: number, by: string, among: string) =>
    `groupArraySortedIf(${count})((-toInt64(${by}), ip), ${among})`;
  const ipsOf = (list: string) => `arrayMap(entry -> entry.2, ${list})`;
  const byPlace = (list: string) =>
    `arrayMap((entry, place) -> (place, entry.2), ${list}, arrayEnumerate(${list}))`;
  const mostFailed = (failures: string) =>
    ipsOf(most(MAX_FAILED, failures, `NOT is_named AND ${failures} > 0`));
  const others = hasOthers
    ? `,
      ${ipsOf(most(MAX_HEAVY, 'requests', 'NOT is_named'))} AS heavy,
      arrayConcat(${['notFound', 'rejected', 'status5xx', '(notFound + rejected + status5xx)'].map(mostFailed).join(', ')}) AS failing`
    : '';
  const kept = `SELECT site, span, arrayJoin(${hasOthers ? 'arrayConcat(named, heavy, failing)' : 'named'}) AS ip FROM (
    SELECT site, span,
      ${most(MAX_NAMED, 'probes', 'is_prober')} AS probers,
      ${most(MAX_NAMED, 'pages', 'is_scraper')} AS scrapers,
      ${most(MAX_NAMED, 'spoofed', 'spoofed > 0')} AS impostors,
      arraySlice(arrayDistinct(${ipsOf(
        `arraySort(arrayConcat(${['probers', 'scrapers', 'impostors'].map(byPlace).join(', ')}))`,
      )}), 1, ${MAX_NAMED}) AS named${others}
    FROM (${addresses})
    GROUP BY site, span
  )`;
  return {
    sql: `SELECT website, span, ${ipText('ip')} AS address, country, asn, asName, requests, pages, notFound, rejected, status5xx, probes,
  least(different, ${MAX_DISTINCT_PATHS}) AS paths, isPerson, ${cutText('tupleElement(claim, 3)')} AS botName,
  tupleElement(claim, 4) AS verification, if(probes > 0, probing_agent, agent) AS sampleUserAgent,
  arraySlice(arrayDistinct(if(probes > 0, [least_probed, greatest_probed, least_path, greatest_path], [least_path, greatest_path])), 1, ${MAX_SAMPLES}) AS samplePaths
FROM (
  SELECT ${SITE} AS site, ${spanNumber(spans)} AS span, r.client_ip AS ip, min(r.website_id) AS website,
    min(r.country) AS country, min(r.asn) AS asn, min(${cutText('r.as_name')}) AS asName,
    count() AS requests,
    countIf(${PAGE}) AS pages,
    countIf(${NOT_FOUND}) AS notFound,
    countIf(${REJECTED}) AS rejected,
    countIf(${SERVER_ERROR}) AS status5xx,
    countIf(${probe}) AS probes,
    uniqExact(CAST(sipHash64(r.path), 'UInt64')) AS different,
    toBool(max(r.traffic_class = 'human')) AS isPerson,
    minIf((${verification} != 'spoofed', r.bot_name = '', toString(r.bot_name), toString(${verification})), ${IS_BOT}) AS claim,
    max(${cutAgent('r.user_agent')}) AS agent,
    maxIf(${cutAgent('r.user_agent')}, ${probe}) AS probing_agent,
    min(${cutText('r.path')}) AS least_path,
    max(${cutText('r.path')}) AS greatest_path,
    minIf(${probed}, ${probe}) AS least_probed,
    maxIf(${probed}, ${probe}) AS greatest_probed
  FROM requests AS r
  PREWHERE ${where} AND ${isKnownIp('r.client_ip')}
  WHERE (${SITE}, ${spanNumber(spans)}, r.client_ip) IN (${kept})
  GROUP BY site, span, ip
)
ORDER BY requests DESC, ip`,
    params: { ...params, least_pages: leastPagesOf(spans.lengthMs / MINUTE_MS) },
  };
}

export function spanFailingPaths(spans: CountedSpans, { sql: verification }: Verification): Clause {
  const { sql: where, params } = ofSpans(spans);
  return {
    sql: `SELECT website, span, asked AS path, status, requests
FROM (
  SELECT min(r.website_id) AS website, ${SITE} AS site, ${spanNumber(spans)} AS span, sipHash64(r.path) AS path_hash, r.status AS status,
    count() AS requests,
    min(${cutText('r.path')}) AS asked,
    max(r.is_probe AND ${verification} != 'verified') AS is_probed
  FROM requests AS r
  PREWHERE ${where} AND (${NOT_FOUND} OR ${SERVER_ERROR})
  GROUP BY site, span, path_hash, status
)
ORDER BY site, span, is_probed, requests DESC, asked, status
LIMIT ${MAX_FAILING} BY site, span`,
    params,
  };
}

const knownIpText = (column: string) => `if(${isKnownIp(column)}, ${ipText(column)}, '')`;
