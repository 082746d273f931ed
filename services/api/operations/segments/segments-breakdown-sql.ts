import { createHash } from 'node:crypto';
import { z } from 'zod';
import { normalRule } from '../../../../shared/control/aggregates/normal-rule.js';
import { regexSize } from '../../../../shared/control/aggregates/segment-limits.js';
import type { SegmentRule } from '../../../../shared/control/domain/model.js';
import { DAY_MS, SECOND_MS } from '../../../../shared/durations.js';
import { groupBy } from '../../../../shared/group-by.js';
import { inPieces } from '../../../../shared/pacing/in-pieces.js';
import { isHumanVisit } from '../../../../shared/reads/ai/human-visits.js';
import {
  type CrawlBasis,
  verificationsInSql,
  verificationsOf,
} from '../../../../shared/reads/bots/crawl-basis-sql.js';
import { UnknownStateError } from '../../../../shared/reads/hours/state-fold.js';
import { visitDigest } from '../../../../shared/reads/sql/ai-landings.js';
import { joinPieces } from '../../../../shared/reads/sql/cover.js';
import { resultsByDay } from '../../../../shared/reads/sql/kept-days.js';
import { withLateVerdicts } from '../../../../shared/reads/sql/late-verdicts.js';
import { inStatusClass } from '../../../../shared/reads/sql/metrics.js';
import { type Scope, scopeClause, type Window } from '../../../../shared/reads/sql/scope.js';
import {
  blockRowsFor,
  ruleTarget,
  type SegmentRules,
  segmentClause,
} from '../../../../shared/reads/sql/segment-conditions.js';
import { isServedPage } from '../../../../shared/reads/sql/served-page.js';
import { MAX_STATEMENT_BYTES } from '../../../../shared/reads/sql/text-batches.js';
import { requestClaim, resolvedVerification } from '../../../../shared/reads/sql/verification.js';
import type { ClickHouseReader, QueryParameter } from '../../../../shared/store/client.js';
import { isTooLargeToRead } from '../../../../shared/store/store-errors.js';
import { bytesOf, sumDays, toDayFigures } from './segments-breakdown-days.js';

/** The same figures for every segment of a website and for all requests (spec §4.7). */

/** Sums over `requests AS r`, each with its SQL. `verification` is the present verdict of a claim. */
function sumsOf(verification: string, basis: CrawlBasis) {
  const genuine = (trafficClass: string) =>
    `r.traffic_class = '${trafficClass}' AND ${verification} != 'spoofed'`;
  const isPage = isServedPage('r.file_type', 'r.status');
  return {
    requests: 'count()',
    human_requests: "countIf(r.traffic_class = 'human')",
    search_bot_requests: `countIf(${genuine('search_bot')})`,
    verified_search_requests: `countIf(r.traffic_class = 'search_bot' AND ${verification} = 'verified')`,
    ai_bot_requests: `countIf(${genuine('ai_bot')})`,
    spoofed_bot_requests: `countIf(${verification} = 'spoofed')`,
    undeclared_agent_requests: "countIf(r.traffic_class = 'undeclared_agent')",
    status_4xx: `countIf(${inStatusClass('r.status', 4)})`,
    status_5xx: `countIf(${inStatusClass('r.status', 5)})`,
    served_pages: `countIf(${isPage})`,
    page_views: `countIf(r.traffic_class = 'human' AND ${isPage})`,
    crawled_page_requests: `countIf(r.traffic_class = 'search_bot' AND ${verification} IN (${verificationsInSql(verificationsOf[basis])}) AND ${isPage})`,
  };
}

type SumName = keyof ReturnType<typeof sumsOf>;

const count = z.number();

const figuresRow = z.object({
  requests: count,
  human_requests: count,
  /** Human visits to pages: one per client, page and half hour (human-visits.ts). */
  human_visits: count,
  search_bot_requests: count,
  /** Requests of proved search crawlers, including late verdicts. */
  verified_search_requests: count,
  ai_bot_requests: count,
  spoofed_bot_requests: count,
  undeclared_agent_requests: count,
  status_4xx: count,
  status_5xx: count,
  /** Human requests for pages that were served. */
  page_views: count,
  unique_paths: count,
  /** Paths of pages that were served to any client: no assets, no paths that scanners invent. */
  unique_pages: count,
  /** The unique pages that were served to a search crawler, by the requests that the basis names. */
  crawled_pages: count,
});

export type SegmentFigures = z.infer<typeof figuresRow>;

export interface SegmentBreakdown {
  readonly all: SegmentFigures;
  /** In the order of the requested segments. */
  readonly segments: readonly SegmentFigures[];
}

/**
 * @param scope its segment and its countries narrow all figures.
 * @param basis requests of search crawlers that count as crawling a page.
 */
export async function readSegmentBreakdown(
  reader: ClickHouseReader,
  scope: Scope,
  segments: readonly SegmentRules[],
  basis: CrawlBasis,
): Promise<SegmentBreakdown> {
  const known = await withLateVerdicts(reader, scope);
  const found: SegmentFigures[] = [];
  let all = nothing;
  for (const batch of inRuleBatches(segments)) {
    const [everything, ...figures] = await readBatch(reader, known, batch, basis);
    all = everything!;
    found.push(...figures);
  }
  return { all, segments: found };
}

/** Bytes of SQL around the text of a rule. */
const RULE_BYTES = 60;

/** Limit for the regexes of one statement; one segment alone may exceed it (regex-cost.ts). */
const MAX_BATCH_REGEX_SIZE = 6_000;

/** @returns at least one batch; each has at least one segment, if there are any. A hundred segments with ordinary rules are one batch. */
export function inRuleBatches<Given extends SegmentRules>(segments: readonly Given[]): Given[][] {
  const batches: Given[][] = [[]];
  let bytes = 0;
  let regexes = 0;
  for (const segment of segments) {
    const size = sizeOf(segment);
    const cost = regexSize(segment);
    const batch = batches.at(-1)!;
    const fits = bytes + size <= MAX_STATEMENT_BYTES && regexes + cost <= MAX_BATCH_REGEX_SIZE;
    if (batch.length > 0 && !fits) {
      batches.push([segment]);
      bytes = size;
      regexes = cost;
    } else {
      batch.push(segment);
      bytes += size;
      regexes += cost;
    }
  }
  return batches;
}

function sizeOf({ rules, excludeRules }: SegmentRules): number {
  return [...rules, ...excludeRules].reduce(
    (bytes, rule) => bytes + RULE_BYTES + Buffer.byteLength(normalRule(rule).value) + writtenBytes(rule),
    0,
  );
}

/** The statement also contains a regex as it was written. */
function writtenBytes({ type, value }: SegmentRule): number {
  return type === 'regex' ? Buffer.byteLength(value) : 0;
}

const segmentRow = figuresRow.extend({ segment: z.number() });

const nothing = Object.fromEntries(
  Object.keys(figuresRow.shape).map((name) => [name, 0]),
) as unknown as SegmentFigures;

/** Figures of all requests, then of each segment. */
async function readBatch(
  reader: ClickHouseReader,
  scope: Scope,
  segments: readonly SegmentRules[],
  basis: CrawlBasis,
): Promise<SegmentFigures[]> {
  const found =
    (await readByDay(reader, scope, segments, basis)) ??
    new Map(
      (await reader.read({ ...breakdownQuery(scope, segments, basis), row: segmentRow })).map(
        ({ segment, ...figures }) => [segment, figures],
      ),
    );
  return Array.from({ length: segments.length + 1 }, (_, place) => found.get(place) ?? nothing);
}

const state = z.string();
const dayRow = segmentRow.extend({
  ...{ day: z.number(), unique_paths: state, unique_pages: state, crawled_pages: state },
});
/** SQL of the UTC day of a request. */
const DAY = `intDiv(toUnixTimestamp(r.timestamp), ${DAY_MS / SECOND_MS})`;
/** Windows with longer results are read at once. */
const MOST_BYTES_OF_DAYS = 8 * 1024 ** 2;

/** By segment; null: the days can not be kept. */
async function readByDay(
  reader: ClickHouseReader,
  scope: Scope,
  segments: readonly SegmentRules[],
  basis: CrawlBasis,
): Promise<ReadonlyMap<number, SegmentFigures> | null> {
  if (scope.lateVerdicts == null) return null;
  const rules = segments.map((segment) => [segment.rules, segment.excludeRules]);
  const question = createHash('sha256').update(JSON.stringify([rules, basis, scope.lateVerdicts]));
  try {
    const days = await resultsByDay(reader, scope, {
      key: `segments ${question.digest('base64')}`,
      hoursAfter: 0,
      async read(pieces) {
        const query = breakdownQuery(scope, segments, basis, joinPieces(pieces));
        const rows = await reader.read({ ...query, row: dayRow, mostBytes: MOST_BYTES_OF_DAYS });
        const ofDay = groupBy(rows.map(toDayFigures), ({ day }) => day);
        return pieces.map(({ start }) => ofDay.get(Math.floor(start / DAY_MS)) ?? []);
      },
      bytesOf,
    });
    return days === null ? null : (sumDays(days.flat()) as unknown as Map<number, SegmentFigures>);
  } catch (error) {
    if (isTooLargeToRead(error) || error instanceof UnknownStateError) return null;
    throw error;
  }
}

/** Bits of the engine's greatest integer that groups fast. */
const BITS = 64;

/** Columns with the results of tests, a bit for each: the engine groups by a number faster than by an array. */
function bitsOf(tests: readonly string[]): string[] {
  return inPieces(tests, BITS).map((some, word) => {
    const bits = some.map((test, bit) => `bitShiftLeft(toUInt64(${test}), ${bit})`);
    return `${bits.join(' + ')} AS query_tests_${word}`;
  });
}

/** SQL that is 1 if the test with this index was true. */
function bitOf(index: number): string {
  return `bitTest(s.query_tests_${Math.floor(index / BITS)}, ${index % BITS})`;
}

/**
 * One scan for all segments. Rows are first grouped by path and by the results of the query-string rules. The other rules are then
 * evaluated once per path instead of once per row. `if` computes the digest for visits only; the combinator -If would compute it for all rows.
 * @param pieces of the window: the rows are by day, with states in place of distinct counts
 */
function breakdownQuery(
  scope: Scope,
  segments: readonly SegmentRules[],
  basis: CrawlBasis,
  pieces?: readonly Window[],
) {
  const queryTests: string[] = [];
  const target = {
    path: 's.path',
    queryHolds: (values: string) => bitOf(queryTests.push(ruleTarget.queryHolds(values)) - 1),
  };
  const clauses = segments.map((segment, index) => segmentClause(segment, `segment_${index}`, target));
  const where = scopeClause(scope, pieces);
  const verification = resolvedVerification(requestClaim, scope);
  const params: Record<string, QueryParameter> = Object.assign(
    { ...where.params, ...verification.params },
    ...clauses.map((clause) => clause.params),
  );
  const tests = bitsOf(queryTests);
  const sums = sumsOf(verification.sql, basis);
  const sumNames = (Object.keys(sums) as SumName[]).filter((name) => Object.hasOwn(figuresRow.shape, name));
  const days = pieces === undefined ? [] : ['day'];
  const distinct = (condition: string) =>
    pieces === undefined
      ? `uniqCombined64If(14)(s.path, ${condition})`
      : `base64Encode(CAST(uniqCombined64StateIf(14)(s.path, ${condition}) AS String))`;
  const sql = `SELECT ${days.map((name) => `s.${name} AS ${name}, `).join('')}arrayJoin(arrayFilter((place, holds) -> holds, range(${segments.length + 1}), [${[
    'true',
    ...clauses.map((clause) => clause.sql),
  ].join(', ')}])) AS segment,
  ${sumNames.map((name) => `sum(s.${name}) AS ${name}`).join(', ')},
  ifNull(uniqCombined64Merge(17)(s.visits), 0) AS human_visits,
  ${distinct("s.path != ''")} AS unique_paths,
  ${distinct('s.served_pages > 0')} AS unique_pages,
  ${distinct('s.crawled_page_requests > 0')} AS crawled_pages
FROM (
  SELECT ${[...days.map((name) => `${DAY} AS ${name}`), 'r.path AS path', ...tests].join(', ')},
    uniqCombined64State(17)(if(${isHumanVisit}, ${visitDigest}, NULL)) AS visits,
    ${Object.entries(sums)
      .map(([name, sql]) => `${sql} AS ${name}`)
      .join(',\n    ')}
  FROM requests AS r
  WHERE ${where.sql}
  GROUP BY ${[...days, 'path', ...tests.map((_, word) => `query_tests_${word}`)].join(', ')}
) AS s
GROUP BY ${[...days, 'segment'].join(', ')}`;
  const ofScope = scope.filters.segment === undefined ? [] : [scope.filters.segment];
  return {
    name: 'segments.breakdown',
    sql,
    params,
    scan: { blockRows: blockRowsFor([...segments, ...ofScope]) },
  };
}
