import { z } from 'zod';
import { groupBy } from '../../group-by.js';
import type { ClickHouseReader } from '../../store/client.js';
import { isTooLargeToRead } from '../../store/store-errors.js';
import { halfHourOf, VISIT_MS } from '../sql/ai-landings.js';
import { clientIpText } from '../sql/client-ip.js';
import { joinPieces } from '../sql/cover.js';
import { resultsByDay } from '../sql/kept-days.js';
import { rowsWithin, type Scope, type Window } from '../sql/scope.js';
import { compareBytes } from '../sql/text-order.js';
import {
  FOLLOW_ON_MS,
  type FollowOn,
  type FollowOnQuestion,
  isKnownPageView,
  MAX_PAGE_VIEWS,
  MAX_VISITS,
  TOP_NEXT,
  visitClause,
} from './follow-on-rules.js';

/**
 * Follow-on of few visits: one plain statement returns the page views around them, and this process folds the views, day by day. Both half
 * hours of a visit are folded with its own day.
 */

/** Folding them takes this process tens of milliseconds. */
const MOST_VIEWS = 20_000;

const view = z.object({
  client_ip: z.string(),
  /** Milliseconds since the epoch. */
  at: z.number(),
  slot: z.number(),
  path: z.string(),
  /** Digest of the user agent if the view is a visit of the scope; else ''. */
  agent: z.string(),
});
type View = z.infer<typeof view>;

/** @returns a map by page, as readFollowOn; null: there are too many views. @throws as ClickHouseReader.read */
export async function foldFollowOn(
  reader: ClickHouseReader,
  scope: Scope,
  { paths, operator }: FollowOnQuestion,
): Promise<ReadonlyMap<string, FollowOn> | null> {
  const read = async (pieces: readonly Window[]) => {
    const views = await reader.read(viewsQuery(scope, operator, joinPieces(pieces)));
    return pieces.map((piece) => foldViews(viewsIn(views, piece), piece));
  };
  try {
    const key = JSON.stringify(['follow_on', operator?.toLowerCase() ?? null]);
    const kept = await resultsByDay(reader, scope, { key, hoursAfter: 1, read, bytesOf });
    return sumPieces(kept ?? (await read([scope.window])), paths);
  } catch (error) {
    if (isTooLargeToRead(error)) return null;
    throw error;
  }
}

/** Page views by address and half hour: those of a visit to any page, and those of the next half hour. */
function viewsQuery(scope: Scope, operator: string | undefined, pieces: readonly Window[]) {
  const isVisit = visitClause(scope, operator, pieces);
  const slot = halfHourOf('toUnixTimestamp64Milli(r.timestamp)');
  const followed = pieces.map(({ start, end }) => ({ start, end: end + FOLLOW_ON_MS }));
  const rows = rowsWithin(scope.websiteId, followed, 'followed_');
  return {
    name: 'follow_on.views',
    sql: `SELECT ${clientIpText('r.client_ip')} AS client_ip, toUnixTimestamp64Milli(r.timestamp) AS at, ${slot} AS slot, r.path AS path,
  if(${isVisit.sql}, toString(sipHash64(r.user_agent)), '') AS agent
FROM requests AS r
WHERE ${rows.sql} AND ${isKnownPageView}
  AND (r.client_ip, ${slot}) IN (
    SELECT r.client_ip, arrayJoin([${slot}, ${slot} + 1]) FROM requests AS r WHERE ${isVisit.sql})
LIMIT ${MAX_PAGE_VIEWS + 1} BY r.client_ip, slot`,
    params: { ...isVisit.params, ...rows.params },
    row: view,
    mostRows: MOST_VIEWS,
  };
}

interface Page {
  judged: number;
  bounced: number;
  /** Addresses by the page that they opened. */
  readonly next: Map<string, Set<string>>;
}

type Pages = ReadonlyMap<string, Page>;

const noPage = (): Page => ({ judged: 0, bounced: 0, next: new Map() });

/** The views in the piece, and in the half hour after it. */
function viewsIn(views: readonly View[], { start, end }: Window): View[] {
  return views.filter(({ at }) => at >= start && at < end + FOLLOW_ON_MS);
}

/** @param views as from viewsIn */
function foldViews(views: readonly View[], { end }: Window): Pages {
  const found = new Map<string, Page>();
  const bySlot = groupBy(views, (one) => `${one.client_ip} ${one.slot}`);
  for (const own of bySlot.values()) {
    const { client_ip, slot } = own[0]!;
    // Visits after the piece belong to the next one.
    if (slot * VISIT_MS >= end) continue;
    const later = bySlot.get(`${client_ip} ${slot + 1}`) ?? [];
    const visits = visitsIn(own);
    const count = [...visits.values()].reduce((sum, times) => sum + times.size, 0);
    if (count > MAX_VISITS || own.length + later.length > MAX_PAGE_VIEWS) continue;
    for (const [path, times] of visits) {
      const page = found.get(path) ?? noPage();
      found.set(path, page);
      judge(page, [...times.values()], {
        same: own.filter((one) => one.path !== path),
        later: later.filter((one) => one.path !== path),
      });
    }
  }
  return found;
}

function sumPieces(pieces: readonly Pages[], paths: readonly string[]): Map<string, FollowOn> {
  const found = new Map<string, FollowOn>();
  for (const path of paths) {
    const sum = noPage();
    for (const pages of pieces) {
      const page = pages.get(path);
      if (page === undefined) continue;
      sum.judged += page.judged;
      sum.bounced += page.bounced;
      for (const [next, visitors] of page.next) {
        const all = sum.next.get(next) ?? new Set();
        sum.next.set(next, all);
        for (const visitor of visitors) all.add(visitor);
      }
    }
    if (sum.judged > 0) found.set(path, { ...sum, next: topOf(sum.next) });
  }
  return found;
}

/** Bytes of a map's or a set's entry besides its text; a rough measure. */
const ENTRY_BYTES = 120;

function bytesOf(pages: Pages): number {
  let bytes = 0;
  for (const [path, { next }] of pages) {
    bytes += 2 * path.length + 2 * ENTRY_BYTES;
    for (const [opened, visitors] of next) bytes += 2 * opened.length + (2 + visitors.size) * ENTRY_BYTES;
  }
  return bytes;
}

/** The first request of each visit, by page and user agent. */
function visitsIn(views: readonly View[]): Map<string, Map<string, number>> {
  const visits = new Map<string, Map<string, number>>();
  for (const { path, agent, at } of views) {
    if (agent === '') continue;
    const times = visits.get(path) ?? new Map<string, number>();
    visits.set(path, times);
    times.set(agent, Math.min(at, times.get(agent) ?? at));
  }
  return visits;
}

/**
 * Adds the visits of one address to a page in one half hour. The first and the last of them decide the pages opened after any visit.
 * The last view of the same half hour and the first one of the next decide which visits bounced.
 * @param others views of other pages in the same half hour and in the next one.
 */
function judge(
  page: Page,
  times: readonly number[],
  { same, later }: { readonly same: readonly View[]; readonly later: readonly View[] },
): void {
  const first = Math.min(...times);
  const last = Math.max(...times);
  const lastSame = Math.max(...same.map(({ at }) => at));
  const firstLater = Math.min(...later.map(({ at }) => at));
  page.judged += times.length;
  page.bounced += times.filter((at) => at >= lastSame && at + FOLLOW_ON_MS < firstLater).length;
  for (const { client_ip, path, at } of [...same, ...later]) {
    if (at <= first || at > last + FOLLOW_ON_MS) continue;
    const visitors = page.next.get(path) ?? new Set();
    page.next.set(path, visitors.add(client_ip));
  }
}

function topOf(next: ReadonlyMap<string, ReadonlySet<string>>): FollowOn['next'] {
  return [...next]
    .map(([path, visitors]) => ({ path, visitors: visitors.size }))
    .sort((a, b) => b.visitors - a.visitors || compareBytes(a.path, b.path))
    .slice(0, TOP_NEXT);
}
