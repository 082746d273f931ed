import type { Logger } from 'pino';
import type { ClickHouseReader, ClickHouseWriter } from '../../../shared/clickhouse/client.js';
import type { FetchSession } from '../../../shared/fetch/fetch-session.js';

/** A crawl that was asked for. */
export interface SiteCrawl {
  readonly websiteId: string;
  readonly crawlId: string;
  /** Of the website; its twin with or without `www.` belongs to it. */
  readonly domain: string;
  /** Addresses in full, or paths of the domain, that are crawled beside the home page. */
  readonly seeds: readonly string[];
  /** Pages that are known, and so at most fetched. */
  readonly maxPages: number;
  /** Query parameters that make a page of their own; the others are dropped. */
  readonly queryKeys: readonly string[];
  /** Has no effect until a browser is built in. */
  readonly renderJs: boolean;
}

export interface CrawlParts {
  /** Makes the crawl's connections, under the configured user agent; `crawlSite` closes them. */
  readonly openFetchSession: () => FetchSession;
  readonly writer: ClickHouseWriter;
  readonly reader: ClickHouseReader;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Resolves after so many milliseconds; rejects with the signal's reason as soon as that fires. */
  readonly pause: (ms: number, signal: AbortSignal) => Promise<void>;
  /** Of one host; a longer crawl-delay of its robots.txt counts. */
  readonly requestsPerSecond: number;
  readonly logger: Logger;
}

export interface CrawlProgress {
  /** Pages that the crawl knows. */
  readonly known: number;
  /** Of these, asked for and answered, or given up. */
  readonly fetched: number;
}

export type CrawlOutcome =
  | { readonly outcome: 'ready' }
  /** blocked: the website turns this crawler away. failed: nobody answers. `reason` is a text for people. */
  | { readonly outcome: 'blocked' | 'failed'; readonly reason: string };

/**
 * One attempt at a crawl, from the home page to the last batch of rows. Called again with the same `crawlId` it goes on from what is stored.
 * @param onProgress called after each batch that was stored.
 * @throws what the signal was aborted with; as `ClickHouseReader.read` and `ClickHouseWriter.insert`. What was stored stays in both cases.
 */
export type CrawlSite = (
  crawl: SiteCrawl,
  parts: CrawlParts,
  signal: AbortSignal,
  onProgress: (progress: CrawlProgress) => void,
) => Promise<CrawlOutcome>;
