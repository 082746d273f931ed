import { readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { currentSince } from '../../shared/crawlers/dated-ranges.js';
import { LARGEST_FEED_BYTES, nextList, problemOf } from '../../shared/crawlers/next-list.js';
import { type Feed, type RangeSnapshot, rangeSnapshotSchema } from '../../shared/crawlers/table-schema.js';

export interface RefreshOptions {
  readonly feeds: readonly Feed[];
  /** Folder of the snapshots. */
  readonly folder: string;
  /** ISO date in the names of the new files. */
  readonly today: string;
  readonly timeoutMs: number;
}

export interface RefreshResult {
  readonly feed: string;
  /** Number of prefixes or hosts; null: the feed failed, and its last list stays. */
  readonly entries: number | null;
  readonly problem: string | null;
}

/**
 * Downloads the feeds one after the other into `<today>-<feed>.json`. Older snapshots stay, since a request is classified by the
 * list of its day. A snapshot with the same prefixes replaces the last one and keeps its first day (`since`). A feed that fails, or
 * that its guards refuse, keeps its last snapshot. The other feeds continue.
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

/** The feed's last snapshot; null for none. */
async function readNewest(folder: string, feed: string): Promise<RangeSnapshot | null> {
  const own = (await readdir(folder)).filter((file) => file.slice('YYYY-MM-DD-'.length) === `${feed}.json`);
  const newest = own.sort().at(-1);
  if (newest === undefined) return null;
  return rangeSnapshotSchema.parse(JSON.parse(await readFile(`${folder}/${newest}`, 'utf8')));
}

/** Downloads the text of a URL, at most 4 MiB. @throws Error that names the URL and the cause. */
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
