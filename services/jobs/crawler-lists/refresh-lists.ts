import {
  insertCrawlerList,
  insertListCheck,
  type ListCheck,
  readListChecks,
} from '../../../shared/crawlers/crawler-list-rows.js';
import type { RangeHistory } from '../../../shared/crawlers/dated-ranges.js';
import { LARGEST_FEED_BYTES, nextList, problemOf } from '../../../shared/crawlers/next-list.js';
import type { Feed, RangeSnapshot } from '../../../shared/crawlers/table-schema.js';
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../../shared/durations.js';
import type { Fetcher } from '../../../shared/fetch/fetcher.js';
import type { Logger } from '../../../shared/logging/log.js';
import { pause } from '../../../shared/pacing/pause.js';
import type { ClickHouse } from '../../../shared/store/client.js';

/** Downloads the address ranges that crawler operators publish, once a day. */

const LOOK_MS = 10 * MINUTE_MS;
const RETRY_MS = 6 * HOUR_MS;
const DOWNLOAD_MS = 20 * SECOND_MS;
const MOST_REDIRECTS = 5;

export interface ListRefreshDeps {
  readonly feeds: readonly Feed[];
  readonly clickhouse: ClickHouse;
  readonly fetch: Fetcher;
  /** The lists in force, by feed. */
  readonly history: () => RangeHistory;
  /** Reads the stored lists again. */
  readonly reread: () => Promise<void>;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly logger: Logger;
}

/**
 * Downloads each feed whose last download is a day old, or six hours old if it failed, one after another. If a feed is unavailable or fails its guards, its
 * list stays, and the other feeds continue.
 * @param signal ends it between two feeds
 * @throws as the store
 */
export async function refreshLists(deps: ListRefreshDeps, signal: AbortSignal): Promise<void> {
  const { feeds, clickhouse, history, now, logger } = deps;
  const checks = new Map((await readListChecks(clickhouse)).map((check) => [check.feed, check]));
  const due = feeds.filter(({ name }) => isDue(checks.get(name), now()));
  if (due.length === 0) return;
  // Another replica may have stored lists since.
  await deps.reread();
  const refused: Pick<ListCheck, 'feed' | 'problem'>[] = [];
  for (const feed of due) {
    if (signal.aborted) return;
    const problem = await refresh(feed, history().get(feed.name)?.at(-1) ?? null, deps, signal);
    if (signal.aborted) return;
    if (problem !== '') refused.push({ feed: feed.name, problem });
    await insertListCheck(clickhouse, { feed: feed.name, checkedAt: now(), problem });
  }
  if (refused.length > 0)
    logger.warn(
      { feeds: refused.length, of: due.length, first: refused[0] },
      'lists of crawlers’ addresses were rejected; /readyz and /setup show which',
    );
  await deps.reread();
}

function isDue(check: ListCheck | undefined, now: number): boolean {
  // A check in the future comes from a wrong clock.
  if (check === undefined || check.checkedAt > now) return true;
  return now - check.checkedAt >= (check.problem === '' ? DAY_MS : RETRY_MS);
}

/** @returns why the list was rejected; '': it was accepted */
async function refresh(
  feed: Feed,
  last: RangeSnapshot | null,
  { clickhouse, fetch, now }: ListRefreshDeps,
  signal: AbortSignal,
): Promise<string> {
  const today = new Date(now()).toISOString().slice(0, 10);
  const list = await nextList(feed, {
    last,
    today,
    download: (url) => download(fetch, url, signal),
  }).catch(problemOf);
  if (typeof list === 'string') return list;
  if (!signal.aborted) await insertCrawlerList(clickhouse, list, now());
  return '';
}

async function download(fetch: Fetcher, url: string, signal: AbortSignal): Promise<string> {
  const { status, body, discard } = await fetch(url, {
    maxBytes: LARGEST_FEED_BYTES,
    maxInflatedBytes: LARGEST_FEED_BYTES,
    maxRedirects: MOST_REDIRECTS,
    timeoutMs: DOWNLOAD_MS,
    headers: { accept: 'application/json, text/plain, text/html' },
    signal,
  });
  if (status !== 200) {
    discard();
    throw new Error(`${url}: HTTP ${status}`);
  }
  const chunks: Uint8Array[] = [];
  for await (const chunk of body) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
}

/**
 * Refreshes the lists at once and then checks every ten minutes for due ones, while `leads` returns that this replica does the work of the whole
 * installation. @returns a function that ends it
 */
export function keepListsFresh(deps: ListRefreshDeps, leads: () => boolean): () => Promise<void> {
  const leaving = new AbortController();
  async function run(): Promise<void> {
    while (!leaving.signal.aborted) {
      if (leads())
        await refreshLists(deps, leaving.signal).catch((error: unknown) =>
          deps.logger.warn({ err: error }, 'the lists of crawlers’ addresses cannot be refreshed yet'),
        );
      await pause(leads() ? LOOK_MS : MINUTE_MS, leaving.signal);
    }
  }
  const running = run();
  return async () => {
    leaving.abort();
    await running;
  };
}
