import { z } from 'zod';
import { inPieces } from '../../pacing/in-pieces.js';
import type { ClickHouseReader } from '../../store/client.js';
import { ReadTooLargeError } from '../../store/store-errors.js';
import { halfHourOf } from '../sql/ai-landings.js';
import type { Scope } from '../sql/scope.js';
import { textBatches } from '../sql/text-batches.js';
import {
  FOLLOW_ON_MS,
  type FollowOn,
  type FollowOnQuestion,
  isFollowedTime,
  isPageView,
  isVisitOf,
  MAX_PAGE_VIEWS,
  MAX_VISITS,
  TOP_NEXT,
} from './follow-on-rules.js';
import { foldFollowOn } from './follow-on-views.js';

/**
 * Pages that people opened after an AI assistant had sent them. They are page views of the visit's address in the half hour after the
 * visit, except views of the landing page. An address is taken for one person, so all figures are a proxy. This process folds the views
 * of few visits (follow-on-views.ts). The engine folds many.
 */

const stepRow = z.object({
  /** Index of the page in the queried paths, from 1. */
  page: z.number(),
  /** 1: the row of the page itself; 0: the row of a next page. */
  is_page: z.number(),
  /** Digest of the path, as text because it has 64 bits. */
  next: z.string(),
  judged: z.number(),
  bounced: z.number(),
  visitors: z.number(),
  /** When one visitor opened it, in milliseconds since the epoch. */
  opened_at: z.number(),
});

interface Step extends z.infer<typeof stepRow> {
  readonly path: string;
}

/**
 * @returns a map by page, without pages that have no judged visit. The scope selects the visits. Next pages count outside the scope too,
 * also in the half hour after the window.
 */
export async function readFollowOn(
  reader: ClickHouseReader,
  scope: Scope,
  question: FollowOnQuestion,
): Promise<ReadonlyMap<string, FollowOn>> {
  if (question.paths.length === 0) return new Map();
  const folded = await foldFollowOn(reader, scope, question);
  if (folded !== null) return folded;
  const found = new Map<string, FollowOn>();
  for (const batch of textBatches(question.paths)) {
    for (const [path, one] of await readJoined(reader, scope, { ...question, paths: batch }))
      found.set(path, one);
  }
  return found;
}

/** The engine joins visits with views. */
async function readJoined(
  reader: ClickHouseReader,
  scope: Scope,
  question: FollowOnQuestion,
): Promise<ReadonlyMap<string, FollowOn>> {
  const steps = await readSteps(reader, scope, question);
  const nameOf = await readNames(
    reader,
    scope,
    steps.filter(({ is_page }) => is_page === 0),
  );
  const nextOf = new Map<string, { path: string; visitors: number }[]>();
  const found = new Map<string, FollowOn>();
  for (const { is_page, path, next, judged, bounced, visitors } of steps) {
    const list = nextOf.get(path) ?? [];
    nextOf.set(path, list);
    if (is_page === 1) found.set(path, { judged, bounced, next: list });
    else list.push({ path: nameOf.get(next) ?? '', visitors });
  }
  return found;
}

/**
 * The engine's memory grows with pages × next pages, and the senders of requests control that size. If the result is too large, the pages
 * are read in halves. A single page has no more rows than views.
 */
async function readSteps(
  reader: ClickHouseReader,
  scope: Scope,
  question: FollowOnQuestion,
): Promise<Step[]> {
  const { paths } = question;
  try {
    const rows = await reader.read(stepsQuery(scope, question));
    return rows.map((row) => ({ ...row, path: paths[row.page - 1]! }));
  } catch (error) {
    if (!(error instanceof ReadTooLargeError) || paths.length === 1) throw error;
    const middle = Math.ceil(paths.length / 2);
    const first = await readSteps(reader, scope, { ...question, paths: paths.slice(0, middle) });
    return [...first, ...(await readSteps(reader, scope, { ...question, paths: paths.slice(middle) }))];
  }
}

const AT = 'toUnixTimestamp64Milli(r.timestamp)';
const DIGEST = 'sipHash64(r.path)';
/** Bytes of a path, used for sorting. A whole path would be copied for each visit that can precede it. */
const START_BYTES = 32;
/** Visit times of each user agent by address, half hour and page. Excludes addresses with too many visits. */
function visitsOf(isVisit: string): string {
  return `SELECT a.ip AS ip, a.slot AS slot, tupleElement(a.visit, 1) AS page, tupleElement(a.visit, 2) AS digest,
    groupArray(tupleElement(a.visit, 3)) AS times, min(tupleElement(a.visit, 3)) AS first_visit, max(tupleElement(a.visit, 3)) AS last_visit
  FROM (
    SELECT q.ip AS ip, q.slot AS slot, arrayJoin(groupArrayIf(${MAX_VISITS})((q.page, q.digest, q.at), q.page > 0)) AS visit
    FROM (
      SELECT r.client_ip AS ip, ${halfHourOf(AT)} AS slot, min(${AT}) AS at, ${DIGEST} AS digest,
        any(indexOf({follow_on_paths: Array(String)}, r.path)) AS page
      FROM requests AS r WHERE ${isVisit}
      GROUP BY ip, slot, digest, sipHash64(r.user_agent)
    ) AS q
    GROUP BY q.ip, q.slot
    HAVING count() <= ${MAX_VISITS}
  ) AS a
  GROUP BY a.ip, a.slot, page, digest`;
}

/**
 * Page views by address and the half hours of the visits that they can follow: their own and the previous one. Each half hour starts with
 * an empty view, whose flag says whether the address has too many views. If it has, the empty view is the only one.
 */
function viewsOf(isVisit: string): string {
  const nothing = `(toUInt64(0), toFixedString('', ${START_BYTES}), toInt64(0))`;
  return `SELECT b.ip AS ip, b.slot AS slot, b.busy AS busy, tupleElement(b.view, 1) AS digest, tupleElement(b.view, 2) AS start,
    tupleElement(b.view, 3) AS at
  FROM (
    SELECT p.ip AS ip, p.slot AS slot, count() > ${MAX_PAGE_VIEWS} AS busy,
      arrayJoin(arrayPushFront(if(count() > ${MAX_PAGE_VIEWS}, [], groupArray(${MAX_PAGE_VIEWS})((p.digest, p.start, p.at))), ${nothing})) AS view
    FROM (
      SELECT r.client_ip AS ip, ${AT} AS at, ${DIGEST} AS digest, toFixedString(substring(r.path, 1, ${START_BYTES}), ${START_BYTES}) AS start,
        arrayJoin([${halfHourOf(AT)}, ${halfHourOf(AT)} - 1]) AS slot
      FROM requests AS r
      WHERE ${isPageView}
    ) AS p
    WHERE (p.ip, p.slot) IN (
      SELECT r.client_ip, ${halfHourOf(AT)} FROM requests AS r WHERE ${isVisit} AND r.path IN {follow_on_paths: Array(String)})
    GROUP BY p.ip, p.slot
  ) AS b`;
}

/**
 * The first and the last visit of an address to a page in one half hour decide the pages opened after any visit. A view of the same half
 * hour follows the first visit or none; a view of the next half hour follows the last visit or none. Likewise, the last view of the same
 * half hour and the first view of the next one decide which visits bounced.
 */
function stepsQuery(scope: Scope, question: FollowOnQuestion) {
  const { sql: isVisit, params } = isVisitOf(scope, question);
  return {
    name: 'follow_on.pages',
    sql: `SELECT t.page AS page, t.is_page AS is_page, toString(t.digest) AS next, sum(t.judged) AS judged, sum(t.bounced) AS bounced,
  sum(t.visitors) AS visitors, max(t.opened_at) AS opened_at
FROM (
  SELECT j.page AS page, grouping(j.digest) AS is_page, j.digest AS digest, j.start AS start,
    anyIf(j.times, j.is_first) AS visits, maxIf(j.at, j.is_other AND j.is_same) AS last, minIf(j.at, j.is_other AND NOT j.is_same) AS next,
    if(is_page = 1 AND max(j.busy) = 0, length(visits), 0) AS judged,
    if(judged > 0, arrayCount(visit -> visit >= last AND (next = 0 OR next > visit + ${FOLLOW_ON_MS}), visits), 0) AS bounced,
    uniqExactIf(j.ip, is_opened) * (1 - is_page) AS visitors, maxIf(j.at, j.is_opened) AS opened_at
  FROM (
    SELECT v.page AS page, v.ip AS ip, v.slot AS slot, v.times AS times, w.busy AS busy, w.digest AS digest, w.start AS start, w.at AS at,
      w.digest = 0 AS is_first, w.digest != 0 AND w.digest != v.digest AS is_other, ${halfHourOf('w.at')} = v.slot AS is_same,
      is_other AND w.at > v.first_visit AND w.at <= v.last_visit + ${FOLLOW_ON_MS} AS is_opened
    FROM (${visitsOf(isVisit)}) AS v
    LEFT JOIN (${viewsOf(isVisit)}) AS w ON v.ip = w.ip AND v.slot = w.slot
  ) AS j
  GROUP BY GROUPING SETS ((j.page, j.ip, j.slot), (j.page, j.digest, j.start))
) AS t
WHERE t.judged > 0 OR t.visitors > 0
GROUP BY t.page, t.is_page, t.digest, t.start
ORDER BY t.page, t.is_page DESC, visitors DESC, t.start, t.digest
LIMIT ${1 + TOP_NEXT} BY t.page`,
    params,
    row: stepRow,
  };
}

/** Pages of one statement: their paths have at most 8 MiB. */
const NAMES_AT_ONCE = 1_000;

/** Paths by their digests. They are found by the time at which they were opened. */
async function readNames(
  reader: ClickHouseReader,
  { websiteId, window }: Scope,
  steps: readonly Step[],
): Promise<ReadonlyMap<string, string>> {
  const openedAt = new Map(steps.map(({ next, opened_at }) => [next, opened_at]));
  const names = new Map<string, string>();
  for (const some of inPieces([...openedAt], NAMES_AT_ONCE)) {
    const rows = await reader.read({
      name: 'follow_on.names',
      sql: `SELECT toString(${DIGEST}) AS digest, any(r.path) AS path
FROM requests AS r
WHERE ${isFollowedTime}
  AND r.timestamp IN (SELECT fromUnixTimestamp64Milli(arrayJoin({opened_at: Array(Int64)}), 'UTC'))
  AND ${DIGEST} IN (SELECT toUInt64(arrayJoin({digests: Array(String)})))
GROUP BY digest`,
      params: {
        website_id: websiteId,
        start: window.start,
        follow_on_end: window.end + FOLLOW_ON_MS,
        opened_at: some.map(([, at]) => at),
        digests: some.map(([digest]) => digest),
      },
      row: z.object({ digest: z.string(), path: z.string() }),
    });
    for (const { digest, path } of rows) names.set(digest, path);
  }
  return names;
}
