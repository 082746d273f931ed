import { createHash } from 'node:crypto';
import { z } from 'zod';
import { DAY_MS, SECOND_MS } from '../../durations.js';
import type { ClickHouseReader } from '../../store/client.js';
import { isTooLargeToRead, ReadTooLargeError } from '../../store/store-errors.js';
import { isHumanPageRequest, VISIT_MINUTES, visitDigest } from '../sql/ai-landings.js';
import type { Clause } from '../sql/clause.js';
import { joinPieces } from '../sql/cover.js';
import { type DayQuestion, resultsByDay } from '../sql/kept-days.js';
import { inStatusClass } from '../sql/metrics.js';
import { type Scope, scopeClause, type Window } from '../sql/scope.js';
import { textBatches } from '../sql/text-batches.js';

/**
 * Human visits and the AI visits among them (sql/ai-landings.ts), read from the single requests: no rollup has the visits that no assistant
 * sent. One pass counts both, so that AI visits never exceed human visits, even if addresses are no longer stored.
 */

/** SQL over `requests AS r`: a person requested a page and received it. Rows with the same `visitDigest` are one visit. */
export const isHumanVisit = `${isHumanPageRequest} AND ${inStatusClass('r.status', 2)}`;

const visitCounts = z.object({ human_visits: z.number(), ai_visits: z.number() });
export type HumanVisits = z.infer<typeof visitCounts>;

interface HumanVisitsQuestion {
  /** Listed pages. */
  readonly paths: readonly string[];
  /** `ai_visits` counts only visits that this operator's assistants sent, ignoring case; undefined: any operator's. */
  readonly operator: string | undefined;
}

interface AllHumanVisits {
  /** Pages without a visit have zeros or are absent. */
  readonly byPath: ReadonlyMap<string, HumanVisits>;
  /** Visits of all pages. */
  readonly total: HumanVisits;
}

/** A visit has one page and one half hour, so that the visits of pages and of days add up. */
export async function readHumanVisits(
  reader: ClickHouseReader,
  scope: Scope,
  question: HumanVisitsQuestion,
): Promise<AllHumanVisits> {
  return (await readKept(reader, scope, question)) ?? (await readAtOnce(reader, scope, question));
}

/** Visits of one day. The index of a page is the same in all arrays. */
interface PagesOfDay {
  /** Digests of paths. */
  readonly pages: Float64Array;
  readonly human: Uint32Array;
  readonly ai: Uint32Array;
}

/** Days with more pages are read at once. */
const MOST_BYTES = 8 * 1024 ** 2;
/** Bytes of a page's digest. A collision among a million pages would give one of them the visits of another. */
const DIGEST_BYTES = 6;
const numbers = z.array(z.number());

/** null: the days can not be kept. */
async function readKept(
  reader: ClickHouseReader,
  scope: Scope,
  { paths, operator }: HumanVisitsQuestion,
): Promise<AllHumanVisits | null> {
  const question: Omit<DayQuestion<PagesOfDay>, 'websiteId' | 'window'> = {
    key: JSON.stringify(['human_visits', operator?.toLowerCase() ?? null]),
    hoursAfter: 0,
    async read(pieces) {
      const days = await reader.read(daysQuery(scope, operator, joinPieces(pieces)));
      const dayAt = new Map(days.map((day) => [day.day, day]));
      return pieces.map(({ start }) => {
        const { pages = [], human = [], ai = [] } = dayAt.get(Math.floor(start / DAY_MS)) ?? {};
        return { pages: Float64Array.from(pages), human: Uint32Array.from(human), ai: Uint32Array.from(ai) };
      });
    },
    bytesOf: ({ pages, human, ai }) => pages.byteLength + human.byteLength + ai.byteLength,
  };
  try {
    const days = await resultsByDay(reader, scope, question);
    return days === null ? null : sumDays(days, paths);
  } catch (error) {
    if (isTooLargeToRead(error)) return null;
    throw error;
  }
}

function sumDays(days: readonly PagesOfDay[], paths: readonly string[]): AllHumanVisits {
  const listed = new Map(paths.map((path) => [digestOf(path), { human_visits: 0, ai_visits: 0 }]));
  const total = { human_visits: 0, ai_visits: 0 };
  for (const { pages, human, ai } of days) {
    for (let index = 0; index < pages.length; index += 1) {
      const page = listed.get(pages[index]!);
      total.human_visits += human[index]!;
      total.ai_visits += ai[index]!;
      if (page === undefined) continue;
      page.human_visits += human[index]!;
      page.ai_visits += ai[index]!;
    }
  }
  return { total, byPath: new Map(paths.map((path) => [path, listed.get(digestOf(path))!])) };
}

function digestOf(path: string): number {
  return createHash('sha256').update(path).digest().readUIntLE(0, DIGEST_BYTES);
}

const dayRow = z.object({ day: z.number(), pages: numbers, human: numbers, ai: numbers });

/** A row for each UTC day of the pieces. */
function daysQuery(scope: Scope, operator: string | undefined, pieces: readonly Window[]) {
  const rows = scopeClause(scope, pieces);
  const sent = sentBy(operator);
  return {
    name: 'ai_landing.visits_by_day',
    sql: `SELECT p.day AS day, groupArray(reinterpretAsUInt64(substring(SHA256(p.path), 1, ${DIGEST_BYTES}))) AS pages,
  groupArray(p.human_visits) AS human, groupArray(p.ai_visits) AS ai
FROM (
  SELECT intDiv(toUnixTimestamp(r.timestamp), ${DAY_MS / SECOND_MS}) AS day, r.path AS path, uniqExact(${visitDigest}) AS human_visits,
    uniqExactIf(${visitDigest}, ${sent.sql}) AS ai_visits
  FROM requests AS r
  WHERE ${rows.sql} AND ${isHumanVisit}
  GROUP BY day, path
) AS p
GROUP BY day`,
    params: { ...rows.params, ...sent.params },
    row: dayRow,
    mostBytes: MOST_BYTES,
  };
}

/** Over `requests AS r`. */
function sentBy(operator: string | undefined): Clause {
  if (operator === undefined) return { sql: "r.ai_operator != ''", params: {} };
  return {
    sql: 'lower(r.ai_operator) = {landing_operator: String}',
    params: { landing_operator: operator.toLowerCase() },
  };
}

async function readAtOnce(
  reader: ClickHouseReader,
  scope: Scope,
  { paths, operator }: HumanVisitsQuestion,
): Promise<AllHumanVisits> {
  const [first = [], ...others] = textBatches(paths);
  const rows = await readBatch(reader, scope, { paths: first, operator }, true);
  const total = { human_visits: 0, ai_visits: 0 };
  for (const { human_visits, ai_visits } of rows) {
    total.human_visits += human_visits;
    total.ai_visits += ai_visits;
  }
  for (const batch of others)
    rows.push(...(await readBatch(reader, scope, { paths: batch, operator }, false)));
  return { total, byPath: new Map(rows.filter((row) => row.is_listed === 1).map((row) => [row.path, row])) };
}

/** @param withOthers also one row for all other pages. */
async function readBatch(
  reader: ClickHouseReader,
  scope: Scope,
  question: HumanVisitsQuestion,
  withOthers: boolean,
) {
  const query = visitsQuery(scope, question, withOthers);
  try {
    return await reader.read(query);
  } catch (error) {
    if (!(error instanceof ReadTooLargeError)) throw error;
    // Slower, but the engine forgets the visits of each half hour: rows are stored in order of time.
    return reader.read({ ...query, sql: `${query.sql}\nSETTINGS optimize_aggregation_in_order = 1` });
  }
}

/** Counts each half hour alone, as the kept days do, so that both have the same result. */
function visitsQuery(scope: Scope, { paths, operator }: HumanVisitsQuestion, withOthers: boolean) {
  const rows = scopeClause(scope);
  const isListed = 'r.path IN {landing_paths: Array(String)}';
  const sent = sentBy(operator);
  return {
    name: 'ai_landing.human_visits',
    sql: `SELECT v.is_listed AS is_listed, v.path AS path, sum(v.human_visits) AS human_visits, sum(v.ai_visits) AS ai_visits
FROM (
  SELECT toStartOfInterval(r.timestamp, INTERVAL ${VISIT_MINUTES} MINUTE) AS half_hour, ${isListed} AS is_listed,
    if(is_listed, r.path, '') AS path, uniqExact(${visitDigest}) AS human_visits, uniqExactIf(${visitDigest}, ${sent.sql}) AS ai_visits
  FROM requests AS r
  WHERE ${rows.sql} AND ${isHumanVisit}${withOthers ? '' : ` AND ${isListed}`}
  GROUP BY half_hour, is_listed, path
) AS v
GROUP BY v.is_listed, v.path`,
    params: { ...rows.params, ...sent.params, landing_paths: paths },
    row: visitCounts.extend({ is_listed: z.number(), path: z.string() }),
  };
}
