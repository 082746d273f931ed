import { z } from 'zod';
import type { ClickHouseReader } from '../clickhouse/client.js';
import { MINUTE_MS } from '../durations.js';
import { type Scope, scopeClause } from './scope.js';
import { isServedPage } from './served-page.js';
import { readByTexts } from './text-batches.js';

/**
 * What people opened after an AI assistant had sent them: page views of the visit's address in the half hour after it, of any page but
 * the one that they came to. An address stands for a person, so that all of this is a proxy.
 */

export const FOLLOW_ON_MINUTES = 30;
const FOLLOW_ON_MS = FOLLOW_ON_MINUTES * MINUTE_MS;

/**
 * Page views of an address in two neighbouring half hours from which on nothing follows from it: many people share it, or nobody reads
 * that fast. It bounds what one address can cost.
 */
export const MAX_PAGE_VIEWS = 1_000;

/** Next pages that are told of each page. */
const TOP_NEXT = 3;

export interface FollowOn {
  /** Visits whose address is not too busy to tell. */
  readonly judged: number;
  /** Those of them after which no other page was opened. */
  readonly bounced: number;
  /** Where visitors went, most of them first, then by path; an address counts once. */
  readonly next: readonly { readonly path: string; readonly visitors: number }[];
}

export interface FollowOnQuestion {
  /** Pages that the visits came to. */
  readonly paths: readonly string[];
  /** Only visits that this operator's assistants sent, ignoring case. */
  readonly operator?: string | undefined;
}

const followOnRow = z.object({
  path: z.string(),
  /** 0: the row of the page itself; 1: of a page that was opened next. */
  is_next: z.number(),
  next: z.string(),
  judged: z.number(),
  bounced: z.number(),
  visitors: z.number(),
});

/**
 * By page; pages without a judged visit are absent. The scope chooses the visits; what they opened next counts wherever it is, also in
 * the half hour behind the window.
 */
export async function readFollowOn(
  reader: ClickHouseReader,
  scope: Scope,
  { paths, operator }: FollowOnQuestion,
): Promise<ReadonlyMap<string, FollowOn>> {
  const rows = await readByTexts(paths, (batch) => reader.read(followOnQuery(scope, batch, operator)));
  const found = new Map<string, FollowOn>();
  for (const { path, judged, bounced } of rows.filter(({ is_next }) => is_next === 0))
    found.set(path, {
      judged,
      bounced,
      next: rows
        .filter((row) => row.is_next === 1 && row.path === path)
        .map(({ next, visitors }) => ({ path: next, visitors })),
    });
  return found;
}

function followOnQuery(scope: Scope, paths: readonly string[], operator: string | undefined) {
  const { sql: inScope, params } = scopeClause(scope);
  const slotOf = (ms: string) => `intDiv(${ms}, ${FOLLOW_ON_MS})`;
  const at = 'toUnixTimestamp64Milli(r.timestamp)';
  const isVisit = `${inScope} AND r.traffic_class = 'human' AND r.ai_operator != ''${
    operator === undefined ? '' : ' AND lower(r.ai_operator) = {follow_on_operator: String}'
  }`;
  // A view can follow visits of its own half hour and of the one before.
  const views = `SELECT p.ip AS ip, p.slot AS slot, groupArray(${MAX_PAGE_VIEWS + 1})((p.at, p.path)) AS views
  FROM (
    SELECT r.client_ip AS ip, ${at} AS at, r.path AS path, arrayJoin([${slotOf(at)}, ${slotOf(at)} - 1]) AS slot
    FROM requests AS r
    WHERE r.website_id = {website_id: String} AND r.timestamp >= fromUnixTimestamp64Milli({start: Int64}, 'UTC')
      AND r.timestamp < fromUnixTimestamp64Milli({follow_on_end: Int64}, 'UTC')
      AND r.traffic_class = 'human' AND ${isServedPage('r.file_type', 'r.status')}
  ) AS p
  WHERE (p.ip, p.slot) IN (SELECT r.client_ip, ${slotOf(at)} FROM requests AS r WHERE ${isVisit})
  GROUP BY p.ip, p.slot`;
  return {
    name: 'follow_on.pages',
    sql: `SELECT t.path AS path, tupleElement(t.step, 1) AS is_next, tupleElement(t.step, 2) AS next,
  sum(t.visits) AS judged, sumIf(t.visits, t.bounced) AS bounced, uniqExact(t.ip) AS visitors
FROM (
  SELECT j.path AS path, j.ip AS ip, j.visits AS visits, empty(j.nexts) AS bounced,
    arrayJoin(arrayConcat([(0, '')], arrayMap(next -> (1, next), j.nexts))) AS step
  FROM (
    SELECT v.path AS path, v.ip AS ip, v.visits AS visits, length(s.views) AS page_views,
      arrayDistinct(arrayMap(w -> tupleElement(w, 2), arrayFilter(
        w -> tupleElement(w, 1) > v.at AND tupleElement(w, 1) <= v.at + ${FOLLOW_ON_MS} AND tupleElement(w, 2) != v.path,
        s.views))) AS nexts
    FROM (
      SELECT r.client_ip AS ip, ${at} AS at, ${slotOf(at)} AS slot, r.path AS path, count() AS visits
      FROM requests AS r
      WHERE ${isVisit} AND r.path IN {follow_on_paths: Array(String)}
      GROUP BY ip, at, slot, path
    ) AS v
    LEFT JOIN (${views}) AS s ON v.ip = s.ip AND v.slot = s.slot
  ) AS j
  WHERE j.page_views <= ${MAX_PAGE_VIEWS}
) AS t
GROUP BY t.path, t.step
ORDER BY path, is_next, visitors DESC, next
LIMIT ${1 + TOP_NEXT} BY path`,
    params: {
      ...params,
      follow_on_end: scope.window.end + FOLLOW_ON_MS,
      follow_on_paths: paths,
      ...(operator === undefined ? {} : { follow_on_operator: operator.toLowerCase() }),
    },
    row: followOnRow,
  };
}
