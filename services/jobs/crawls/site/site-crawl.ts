import type { Logger } from 'pino';
import type { ClickHouseReader, ClickHouseWriter } from '../../../../shared/store/client.js';
import type { FetchSession } from './fetch-session.js';
import type { LoadResource, PageRenderer } from './render/page-renderer.js';

/** A requested crawl. */
export interface SiteCrawl {
  readonly websiteId: string;
  readonly crawlId: string;
  /** The website's domain; its twin with or without `www.` belongs to it. */
  readonly domain: string;
  /** Full URLs, or paths of the domain, that are crawled in addition to the home page. */
  readonly seeds: readonly string[];
  /** The maximum of discovered, and so of fetched pages. */
  readonly maxPages: number;
  /** Query parameters that identify a page; the others are dropped. */
  readonly queryKeys: readonly string[];
  /** Whether scripts of pages run before they are read. */
  readonly renderJs: boolean;
}

export interface CrawlParts {
  /** Opens the crawl's connections, with the configured user agent; `crawlSite` closes them. */
  readonly openFetchSession: () => FetchSession;
  readonly writer: ClickHouseWriter;
  readonly reader: ClickHouseReader;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Resolves after so many milliseconds; rejects with the signal's reason when the signal fires. */
  readonly pause: (ms: number, signal: AbortSignal) => Promise<void>;
  /** For one host. A longer crawl-delay of its robots.txt overrides it. */
  readonly requestsPerSecond: number;
  readonly logger: Logger;
  /** Opens the renderer of pages. Without it, no crawl with rendering is started. */
  readonly openRenderer?: ((load: LoadResource) => PageRenderer) | undefined;
  /** The website's ports besides 80 and 443; for tests alone. */
  readonly ports?: ReadonlySet<string>;
}

export type CrawlOutcome =
  | { readonly outcome: 'ready' }
  /** blocked: the website rejects this crawler. failed: no server responds. `reason` is a text for people. */
  | { readonly outcome: 'blocked' | 'failed'; readonly reason: string };
