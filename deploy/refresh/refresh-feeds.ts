import { readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { guardPrefixes } from '../../shared/crawlers/feed-guards.js';
import { type Feed, type RangeSnapshot, rangeSnapshotSchema } from '../../shared/crawlers/table-schema.js';
import { parseFeed } from './parse-feed.js';

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
  /** Prefixes now held; null where the feed failed and its last snapshot stays. */
  readonly prefixes: number | null;
  readonly problem: string | null;
}

/** The largest feed today is 60 KB; pages that hold a list are some hundred. */
const LARGEST_BODY_BYTES = 4 * 1024 ** 2;

/**
 * Downloads every feed, one after another, into `<today>-<feed>.json`. Older snapshots stay, since a request is judged by the
 * list of its day; only one that says the same prefixes is replaced, by one that says since when they stand. A feed that can't be had, or that its guards refuse, keeps its last snapshot; it never stops
 * the others.
 */
export async function refreshFeeds(options: RefreshOptions): Promise<RefreshResult[]> {
  const results: RefreshResult[] = [];
  for (const feed of options.feeds) {
    try {
      results.push({ feed: feed.name, prefixes: await refreshFeed(feed, options), problem: null });
    } catch (error) {
      results.push({ feed: feed.name, prefixes: null, problem: describe(error) });
    }
  }
  return results;
}

async function refreshFeed(feed: Feed, { folder, today, timeoutMs }: RefreshOptions): Promise<number> {
  const parsed = [];
  for (const url of feed.urls) parsed.push(parseFeed(feed.format, await download(url, timeoutMs)));
  const prefixes = guardPrefixes(
    feed,
    parsed.flatMap((part) => part.prefixes),
  );
  const last = await readNewest(folder, feed.name);
  const isSame = last !== null && last.prefixes.join() === prefixes.join();
  const since = isSame ? (last.since ?? last.retrieved) : today;
  const snapshot: RangeSnapshot = {
    feed: feed.name,
    operator: feed.operator,
    urls: feed.urls,
    published: parsed[0]?.published ?? null,
    retrieved: today,
    ...(since === today ? {} : { since }),
    prefixes,
  };
  const file = `${today}-${feed.name}.json`;
  await writeFile(`${folder}/${file}.tmp`, `${JSON.stringify(snapshot, null, 1)}\n`);
  await rename(`${folder}/${file}.tmp`, `${folder}/${file}`);
  if (isSame && last.retrieved < today)
    await rm(`${folder}/${last.retrieved}-${feed.name}.json`, { force: true });
  return prefixes.length;
}

/** The feed's last snapshot before this one; null for none. */
async function readNewest(folder: string, feed: string): Promise<RangeSnapshot | null> {
  const own = (await readdir(folder)).filter((file) => file.slice('YYYY-MM-DD-'.length) === `${feed}.json`);
  const newest = own.sort().at(-1);
  if (newest === undefined) return null;
  return rangeSnapshotSchema.parse(JSON.parse(await readFile(`${folder}/${newest}`, 'utf8')));
}

async function download(url: string, timeoutMs: number): Promise<string> {
  const response = await fetch(url, {
    signal: AbortSignal.timeout(timeoutMs),
    headers: { 'user-agent': 'loglane-refresh', accept: 'application/json, text/plain, text/html' },
  });
  if (!response.ok) throw new Error(`${url}: HTTP ${response.status}`);
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.length;
    if (bytes > LARGEST_BODY_BYTES) throw new Error(`${url}: larger than ${LARGEST_BODY_BYTES} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const cause = error.cause instanceof Error ? `: ${error.cause.message}` : '';
  return `${error.message}${cause}`.replace(/\s+/g, ' ').slice(0, 300);
}
