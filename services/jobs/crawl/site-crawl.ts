import type { Logger } from 'pino';
import type { ClickHouseReader, ClickHouseWriter } from '../../../shared/store/client.js';
import type { FetchSession } from './fetch-session.js';
import type { LoadResource, PageRenderer } from './render/page-renderer.js';

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
  /** Whether scripts of pages run before they are read. */
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
  /** Opens what runs the scripts of pages; absent: nothing does, and no crawl that wants it is begun. */
  readonly openRenderer?: ((load: LoadResource) => PageRenderer) | undefined;
  /** Of the website, beside 80 and 443; for tests alone. */
  readonly ports?: ReadonlySet<string>;
}

export type CrawlOutcome =
  | { readonly outcome: 'ready' }
  /** blocked: the website turns this crawler away. failed: nobody answers. `reason` is a text for people. */
  | { readonly outcome: 'blocked' | 'failed'; readonly reason: string };
