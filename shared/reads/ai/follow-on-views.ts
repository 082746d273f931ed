import { z } from 'zod';
import { groupBy } from '../../group-by.js';
import type { ClickHouseReader } from '../../store/client.js';
import { AnswerTooLongError, ReadTooLargeError } from '../../store/store-errors.js';
import { halfHourOf } from '../sql/ai-landings.js';
import { clientIpText } from '../sql/client-ip.js';
import type { Scope } from '../sql/scope.js';
import {
  FOLLOW_ON_MS,
  type FollowOn,
  type FollowOnQuestion,
  isPageView,
  isVisitOf,
  MAX_PAGE_VIEWS,
  MAX_VISITS,
  TOP_NEXT,
} from './follow-on-rules.js';

/** Follow-on of few visits: one plain statement returns the page views around them, and this process folds the views. */

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
  question: FollowOnQuestion,
): Promise<ReadonlyMap<string, FollowOn> | null> {
  try {
    const views = await reader.read(viewsQuery(scope, question));
    return foldViews(views, new Set(question.paths));
  } catch (error) {
    if (error instanceof AnswerTooLongError || error instanceof ReadTooLargeError) return null;
    throw error;
  }
}

/** Page views by address and half hour: those of a visit to one of the pages, and those of the next one. */
function viewsQuery(scope: Scope, question: FollowOnQuestion) {
  const isVisit = isVisitOf(scope, question);
  const slot = halfHourOf('toUnixTimestamp64Milli(r.timestamp)');
  return {
    name: 'follow_on.views',
    sql: `SELECT ${clientIpText('r.client_ip')} AS client_ip, toUnixTimestamp64Milli(r.timestamp) AS at, ${slot} AS slot, r.path AS path,
  if(${isVisit.sql}, toString(sipHash64(r.user_agent)), '') AS agent
FROM requests AS r
WHERE ${isPageView}
  AND (r.client_ip, ${slot}) IN (
    SELECT r.client_ip, arrayJoin([${slot}, ${slot} + 1]) FROM requests AS r
    WHERE ${isVisit.sql} AND r.path IN {follow_on_paths: Array(String)})
LIMIT ${MAX_PAGE_VIEWS + 1} BY r.client_ip, slot`,
    params: isVisit.params,
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

function foldViews(views: readonly View[], pages: ReadonlySet<string>): Map<string, FollowOn> {
  const found = new Map<string, Page>();
  const bySlot = groupBy(views, (one) => `${one.client_ip} ${one.slot}`);
  for (const own of bySlot.values()) {
    const { client_ip, slot } = own[0]!;
    const later = bySlot.get(`${client_ip} ${slot + 1}`) ?? [];
    const visits = visitsIn(own);
    const count = [...visits.values()].reduce((sum, times) => sum + times.size, 0);
    if (count > MAX_VISITS || own.length + later.length > MAX_PAGE_VIEWS) continue;
    for (const [path, times] of visits) {
      if (!pages.has(path)) continue;
      const page = found.get(path) ?? { judged: 0, bounced: 0, next: new Map() };
      found.set(path, page);
      judge(page, [...times.values()], {
        same: own.filter((one) => one.path !== path),
        later: later.filter((one) => one.path !== path),
      });
    }
  }
  return new Map([...found].map(([path, page]) => [path, { ...page, next: topOf(page.next) }]));
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
    .sort((a, b) => b.visitors - a.visitors || Buffer.compare(Buffer.from(a.path), Buffer.from(b.path)))
    .slice(0, TOP_NEXT);
}
