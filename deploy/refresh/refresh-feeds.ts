import { readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { currentSince } from '../../shared/crawlers/dated-ranges.js';
import { LARGEST_FEED_BYTES, nextList, problemOf } from '../../shared/crawlers/next-list.js';
import { type Feed, type RangeSnapshot, rangeSnapshotSchema } from '../../shared/crawlers/table-schema.js';

export interface RefreshOptions {
  readonly feeds: readonly Feed[];
  /** Folder of the snapshots. */
  readonly folder: string;
  /** ISO date that the new files carry. */
  readonly today: string;
  readonly timeoutMs: number;
}

export interface RefreshResult {
  readonly feed: string;
  /** Prefixes or hosts of the list; null where the feed failed and its last list stays. */
  readonly entries: number | null;
  readonly problem: string | null;
}

/**
 * Downloads every feed, one after another, into `<today>-<feed>.json`. Older snapshots stay, since a request is judged by the
 * list of its day. A snapshot with the same prefixes replaces the last one and keeps its first day (`since`). A feed that can't be had, or that
 * its guards refuse, keeps its last snapshot and does not stop the others.
 */
export async function refreshFeeds(options: RefreshOptions): Promise<RefreshResult[]> {
  const results: RefreshResult[] = [];
  for (const feed of options.feeds) {
    try {
      results.push({ feed: feed.name, entries: await refreshFeed(feed, options), problem: null });
    } catch (error) {
      results.push({ feed: feed.name, entries: null, problem: problemOf(error) });
    }
  }
  return results;
}

async function refreshFeed(feed: Feed, { folder, today, timeoutMs }: RefreshOptions): Promise<number> {
  const last = await readNewest(folder, feed.name);
  const snapshot = await nextList(feed, { last, today, download: (url) => download(url, timeoutMs) });
  const file = `${today}-${feed.name}.json`;
  await writeFile(`${folder}/${file}.tmp`, `${JSON.stringify(snapshot, null, 1)}\n`);
  await rename(`${folder}/${file}.tmp`, `${folder}/${file}`);
  const isSame = last !== null && currentSince(last) === currentSince(snapshot);
  if (isSame && last.retrieved < today)
    await rm(`${folder}/${last.retrieved}-${feed.name}.json`, { force: true });
  return snapshot.prefixes.length;
}

/** The feed's last snapshot before this one; null for none. */
async function readNewest(folder: string, feed: string): Promise<RangeSnapshot | null> {
  const own = (await readdir(folder)).filter((file) => file.slice('YYYY-MM-DD-'.length) === `${feed}.json`);
  const newest = own.sort().at(-1);
  if (newest === undefined) return null;
  return rangeSnapshotSchema.parse(JSON.parse(await readFile(`${folder}/${newest}`, 'utf8')));
}

/** The text of a URL, at most 4 MiB. @throws Error naming the URL and what failed. */
export async function download(url: string, timeoutMs: number): Promise<string> {
  const response = await fetch(url, {
    signal: AbortSignal.timeout(timeoutMs),
    headers: { 'user-agent': 'loglane-refresh', accept: 'application/json, text/plain, text/html' },
  });
  if (!response.ok) throw new Error(`${url}: HTTP ${response.status}`);
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.length;
    if (bytes > LARGEST_FEED_BYTES) throw new Error(`${url}: larger than ${LARGEST_FEED_BYTES} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
