import { guardChange, guardPrefixes } from './feed-guards.js';
import { parseFeed } from './parse-feed.js';
import type { Feed, RangeSnapshot } from './table-schema.js';

/** The largest feed today is 60 KB; pages that contain a list have some hundred KB. */
export const LARGEST_FEED_BYTES = 4 * 1024 ** 2;

export interface ListDownload {
  /** The feed's newest list; null: none. */
  readonly last: RangeSnapshot | null;
  /** ISO date. */
  readonly today: string;
  /** The body of a URL. Rejects if it is unavailable or larger than {@link LARGEST_FEED_BYTES}. */
  readonly download: (url: string) => Promise<string>;
}

/**
 * Downloads a feed's current list. A list with the same prefixes as the last one keeps its `since`.
 * @throws Error that describes the failed download, the wrong format or the refusing guard.
 */
export async function nextList(feed: Feed, { last, today, download }: ListDownload): Promise<RangeSnapshot> {
  const parsed = [];
  for (const url of feed.urls) parsed.push(parseFeed(feed.format, await download(url)));
  const prefixes = guardPrefixes(
    feed,
    parsed.flatMap((part) => part.prefixes),
  );
  if (last !== null) guardChange(feed, last.prefixes, prefixes);
  const isSame = last !== null && last.prefixes.join() === prefixes.join();
  const since = isSame ? (last.since ?? last.retrieved) : today;
  return {
    feed: feed.name,
    operator: feed.operator,
    urls: feed.urls,
    published: parsed[0]?.published ?? null,
    retrieved: today,
    ...(since === today ? {} : { since }),
    prefixes,
  };
}

/** Why a list was refused, as one line of at most 300 characters. */
export function problemOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error).slice(0, 300);
  const cause = error.cause instanceof Error ? `: ${error.cause.message}` : '';
  return `${error.message}${cause}`.replace(/\s+/g, ' ').slice(0, 300);
}
