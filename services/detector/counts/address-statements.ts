import { MINUTE_MS } from '../../../shared/durations.js';
import type { Clause } from '../../../shared/reads/sql/clause.js';
import { ipText, isKnownIp } from '../../../shared/reads/sql/client-ip.js';
import { isPage } from '../../../shared/reads/sql/served-page.js';
import type { CountedSpans } from './counts-reader.js';
import { candidatesInSql, kindsInSql } from './named-addresses.js';
import { MAX_DISTINCT_PATHS } from './span-counts.js';
import {
  cutAgent,
  cutText,
  IS_BOT,
  NOT_FOUND,
  ofSpans,
  REJECTED,
  SERVER_ERROR,
  SITE,
  spanNumber,
  type Verification,
} from './span-statements.js';

/**
 * Statements that count addresses. They rank all addresses by their counts, then read details of the
 * candidates (named-addresses.ts).
 */

/**
 * Most candidates, and most other addresses with the most requests and with the most failures, in all and of
 * each kind.
 */
export const MAX_NAMED = 200;
const MAX_HEAVY = 12;
const MAX_FAILED = 5;
const MAX_SAMPLES = 3;
/** Most claims for grouping unlisted addresses. */
const MAX_CLAIMS = 50;

/** One row for each address, with the columns that need all of them. */
function rankedAddresses(spans: CountedSpans, verification: string): string {
  const [prober, scraper, impostor, failing] = candidatesInSql(minutesOf(spans));
  return `SELECT ${SITE} AS site, ${spanNumber(spans)} AS span, r.client_ip AS ip,
    count() AS requests,
    countIf(${isPage('r.file_type')}) AS pages,
    countIf(${NOT_FOUND}) AS notFound,
    countIf(${REJECTED}) AS rejected,
    ${spans.lists === 'all' ? `countIf(${SERVER_ERROR}) AS status5xx,` : ''}
    countIf(${probeOf(verification)}) AS probes,
    countIf(${verification} = 'spoofed') AS spoofed,
    countIf(${verification} = 'verified') AS verified,
    countIf(NOT ${IS_BOT}) AS people,
    ${prober.are} AS is_0,
    ${scraper.are} AS is_1,
    ${impostor.are} AS is_2,
    ${failing.are} AS is_3,
    is_0 OR is_1 OR is_2 OR is_3 AS is_named
  FROM requests AS r
  PREWHERE ${ofSpans(spans).sql} AND ${isKnownIp('r.client_ip')}
  GROUP BY site, span, ip`;
}

/** The addresses of the list. */
function listedAddresses(spans: CountedSpans, verification: string): string {
  const most = (count: number, by: string, among: string) =>
    `groupArraySortedIf(${count})((-toInt64(${by}), ip), ${among})`;
  const ipsOf = (list: string) => `arrayMap(entry -> entry.2, ${list})`;
  const byPlace = (list: string) =>
    `arrayMap((entry, place) -> (place, entry.2), ${list}, arrayEnumerate(${list}))`;
  const mostFailed = (failures: string) =>
    ipsOf(most(MAX_FAILED, failures, `NOT is_named AND ${failures} > 0`));
  const hasOthers = spans.lists === 'all';
  const others = hasOthers
    ? `,
      ${ipsOf(most(MAX_HEAVY, 'requests', 'NOT is_named'))} AS heavy,
      arrayConcat(${['notFound', 'rejected', 'status5xx', '(notFound + rejected + status5xx)'].map(mostFailed).join(', ')}) AS failing`
    : '';
  const kinds = candidatesInSql(minutesOf(spans));
  return `SELECT site, span, arrayJoin(${hasOthers ? 'arrayConcat(named, heavy, failing)' : 'named'}) AS ip FROM (
    SELECT site, span,
      ${kinds.map(({ by }, kind) => `${most(MAX_NAMED, by, `is_${kind}`)} AS kind_${kind},`).join('\n      ')}
      arraySlice(arrayDistinct(${ipsOf(
        `arraySort(arrayConcat(${kinds.map((_, kind) => byPlace(`kind_${kind}`)).join(', ')}))`,
      )}), 1, ${MAX_NAMED}) AS named${others}
    FROM (${rankedAddresses(spans, verification)})
    GROUP BY site, span
  )`;
}

/**
 * The columns that decide an address's kinds. Those of a claim are a tuple whose third entry is the bot's
 * name.
 */
const counted = (verification: string) => `${SITE} AS site, r.client_ip AS ip, min(r.website_id) AS website,
    count() AS requests,
    countIf(${isPage('r.file_type')}) AS pages,
    countIf(${NOT_FOUND}) AS notFound,
    countIf(${REJECTED}) AS rejected,
    countIf(${SERVER_ERROR}) AS status5xx,
    countIf(${probeOf(verification)}) AS probes,
    least(uniqExact(CAST(sipHash64(r.path), 'UInt64')), ${MAX_DISTINCT_PATHS}) AS paths,
    toBool(max(NOT ${IS_BOT})) AS isPerson,
    minIf((${verification} != 'spoofed', r.bot_name = '', toString(r.bot_name), toString(${verification}), toString(r.bot_category)), ${IS_BOT}) AS claim`;

/** The listed addresses with texts. */
export function spanClients(spans: CountedSpans, { sql: verification }: Verification): Clause {
  const { sql: where, params } = ofSpans(spans);
  const probe = probeOf(verification);
  const probed = cutText("if(r.query = '', toString(r.path), concat(r.path, '?', r.query))");
  return {
    sql: `SELECT website, span, ${ipText('ip')} AS address, country, asn, asName, requests, pages, notFound, rejected, status5xx, probes,
  [toUnixTimestamp64Milli(first_at), toUnixTimestamp64Milli(last_at)] AS at, paths, isPerson, ${cutText('tupleElement(claim, 3)')} AS botName, tupleElement(claim, 4) AS verification,
  tupleElement(claim, 5) AS botCategory, if(probes > 0, probing_agent, agent) AS sampleUserAgent,
  arraySlice(arrayDistinct(if(probes > 0, [least_probed, greatest_probed, least_path, greatest_path], [least_path, greatest_path])), 1, ${MAX_SAMPLES}) AS samplePaths
FROM (
  SELECT ${counted(verification)}, ${spanNumber(spans)} AS span,
    min(r.timestamp) AS first_at, max(r.timestamp) AS last_at,
    min(r.country) AS country, min(r.asn) AS asn, min(${cutText('r.as_name')}) AS asName,
    max(${cutAgent('r.user_agent')}) AS agent,
    maxIf(${cutAgent('r.user_agent')}, ${probe}) AS probing_agent,
    min(${cutText('r.path')}) AS least_path,
    max(${cutText('r.path')}) AS greatest_path,
    minIf(${probed}, ${probe}) AS least_probed,
    maxIf(${probed}, ${probe}) AS greatest_probed
  FROM requests AS r
  PREWHERE ${where} AND ${isKnownIp('r.client_ip')}
  WHERE (${SITE}, ${spanNumber(spans)}, r.client_ip) IN (${listedAddresses(spans, verification)})
  GROUP BY site, span, ip
)
ORDER BY requests DESC, ip`,
    params,
  };
}

/** Candidates beyond the list, summed by kind and claim. Only full lists need it. */
export function spanUnlisted(spans: CountedSpans, { sql: verification }: Verification): Clause {
  const { sql: where, params } = ofSpans(spans);
  const kinds = Object.entries(kindsInSql(minutesOf(spans)));
  const key = ['website', 'span', ...kinds.map(([kind]) => kind), 'isPerson', 'verification'];
  const sums = ['requests', 'pages', 'notFound', 'rejected', 'status5xx', 'probes'];
  return {
    sql: `SELECT ${key.join(', ')}, ${cutText(`if(claim_place <= ${MAX_CLAIMS}, botName, '')`)} AS claimed,
  count() AS addresses, ${sums.map((sum) => `sum(a.${sum}) AS ${sum}`).join(', ')}
FROM (
  SELECT *, dense_rank() OVER (PARTITION BY website, span ORDER BY of_claim DESC, botName, verification) AS claim_place
  FROM (
    SELECT *, sum(requests) OVER (PARTITION BY website, span, botName, verification) AS of_claim,
      ${kinds.map(([kind, condition]) => `toBool(${condition}) AS ${kind}`).join(',\n      ')}
    FROM (
      SELECT *, tupleElement(claim, 3) AS botName, tupleElement(claim, 4) AS verification, tupleElement(claim, 5) AS botCategory
      FROM (
        SELECT ${counted(verification)}, ${spanNumber(spans)} AS span
        FROM requests AS r
        PREWHERE ${where} AND ${isKnownIp('r.client_ip')}
        WHERE (${SITE}, ${spanNumber(spans)}, r.client_ip) IN (SELECT site, span, ip FROM (${rankedAddresses(spans, verification)}) WHERE is_named)
          AND (${SITE}, ${spanNumber(spans)}, r.client_ip) NOT IN (${listedAddresses(spans, verification)})
        GROUP BY site, span, ip
      )
    )
  )
) AS a
GROUP BY ${key.join(', ')}, claimed
ORDER BY requests DESC, ${[...key, 'claimed'].join(', ')}`,
    params,
  };
}

const minutesOf = ({ lengthMs }: CountedSpans) => lengthMs / MINUTE_MS;

/** Whether a row is a probe. A verified crawler follows other people's links. */
const probeOf = (verification: string) => `(r.is_probe AND ${verification} != 'verified')`;
