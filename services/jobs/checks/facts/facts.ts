import type { FetchErrorCode } from '../../../../shared/fetch/fetch-error.js';
import type { RealCrawler } from '../../../../shared/reads/bots/classify-access.js';
import type { CrawlBasis } from '../../../../shared/reads/bots/crawl-basis-sql.js';
import type { Outcome } from '../../../../shared/reads/checks/verdict.js';
import type { HtmlPage } from './read-html.js';

/** The facts that checks judge: plain data, gathered once a run. Instants are in milliseconds since the epoch. */

/** One light fetch that follows redirects. */
export interface Retrieval {
  readonly outcome: Outcome;
  readonly requestedUrl: string;
  /** null: no response. */
  readonly finalUrl: string | null;
  readonly redirects: readonly { readonly url: string; readonly status: number }[];
  readonly status: number | null;
  /** The reason for a missing response or unreadable body: the fetcher's code, and a sentence for the customer. */
  readonly error: { readonly code: FetchErrorCode; readonly message: string } | null;
  /** By name in lower case. */
  readonly headers: ReadonlyMap<string, string>;
  /** X-Robots-Tag headers, one per line. A line may name another crawler, which must not apply to the next line. */
  readonly robotsTags: readonly string[];
  /** Inflated bytes of the body that were read. */
  readonly bytes: number;
  /** The body has more than these bytes. */
  readonly isCut: boolean;
  /** The beginning of a text that is no HTML. */
  readonly text: string;
  /** null: no HTML. */
  readonly html: HtmlPage | null;
  /** From the start to the headers of the last response, including DNS, TLS and redirects. */
  readonly headMs: number;
  /** When the last hop's certificate expires; null: unknown. */
  readonly certificateUntil: number | null;
}

/** A page that responded with HTML. */
export interface Page {
  readonly retrieval: Retrieval & { readonly finalUrl: string };
  readonly html: HtmlPage;
}

/** As in the answer of `robots`. */
export interface RobotsFacts {
  readonly status: 'found' | 'missing' | 'blocked' | 'server_error' | 'unreachable';
  readonly httpStatus: number | null;
  readonly problem: string | null;
  /** The version in force; null: unknown; '': there is no file. */
  readonly content: string | null;
  readonly isTruncated: boolean;
  /** Disallowed pages that crawlers fetched in the last seven days; null: not judged. */
  readonly violations: {
    readonly total: number;
    /** Earlier requests were not judged. */
    readonly judgedSince: number;
    /** false: there were too many requests to judge all of them. */
    readonly isComplete: boolean;
    /** Most requests first. */
    readonly bots: readonly { readonly bot: string; readonly requests: number; readonly paths: number }[];
    readonly examples: readonly {
      readonly bot: string;
      readonly path: string;
      readonly requests: number;
      readonly rule: string;
    }[];
  } | null;
}

/** As in the answer of `sitemap`. */
export interface SitemapFacts {
  readonly state: 'read' | 'none' | 'unreadable';
  readonly complete: boolean;
  readonly incompleteReason: string | null;
  readonly files: number;
  readonly failedFiles: number;
  readonly foreignUrls: number;
  readonly invalidUrls: number;
  /** `code`: as in the API's answer, for example `dns` or `http_403`. */
  readonly problems: readonly { readonly sitemap: string; readonly code: string; readonly message: string }[];
  /** Pages; null: unknown. */
  readonly listed: number | null;
  readonly neverCrawled: number | null;
  readonly notInSitemap: number | null;
  /** `lastmod` of the last discovered listed pages; null: the page has none. */
  readonly lastmods: readonly (number | null)[];
}

/** The responses to a crawler: to its verified requests, and to other requests under its name. */
export interface BotAccess {
  readonly name: string;
  readonly operator: string;
  readonly category: string;
  readonly real: RealCrawler;
  /** 2xx and 3xx. */
  readonly served: number;
  /** 401, 403, 429, 451. */
  readonly rejected: number;
  /** 402 */
  readonly charged: number;
  /** Rejected requests by status. */
  readonly byStatus: Readonly<Record<string, number>>;
  readonly unverifiedServed: number;
  readonly unverifiedRejected: number;
}

/** Requests that claim to be from a crawler. */
export interface BotClaims {
  readonly name: string;
  readonly category: string;
  readonly claims: number;
  readonly verified: number;
  readonly spoofed: number;
  /** Undecided, although the crawler can be verified. */
  readonly undecided: number;
}

/** The responses to search crawlers. */
export interface CrawlFacts {
  /** The requests that are counted: verified ones, or unproved claims if none is verified. */
  readonly basis: CrawlBasis;
  readonly requests: number;
  /** Undecided claims, although the crawler can be verified. */
  readonly undecided: number;
  /** In the seven days before; null: the logs begin later. */
  readonly requestsBefore: number | null;
  readonly notFound: number;
  readonly serverErrors: number;
  readonly redirected: number;
  readonly withQuery: number;
  /** Mean; null: the logs have no times. */
  readonly meanMs: number | null;
  /** URL patterns with their timed requests, the slowest first (services/jobs/crawls/health/crawl-health.ts). */
  readonly templates: readonly {
    readonly pattern: string;
    readonly requests: number;
    readonly meanMs: number;
    /** Three quarters of the requests were for pages whose mean time is at most this. */
    readonly p75Ms: number;
    readonly example: string;
  }[];
  readonly consistency: {
    readonly checked: number;
    /** Pages with server errors or mostly errors, except those that always respond 4xx. */
    readonly unsteady: number;
    readonly warning: number;
    readonly worst: readonly { readonly path: string; readonly statuses: Readonly<Record<string, number>> }[];
  };
}

/** The last seven days of the logs, with the figures of the API. */
export interface LogFacts {
  /** The hour of the oldest stored request; at least a day ago. */
  readonly since: number;
  readonly requests: number;
  /** Requests that are no person's: bots and undeclared agents. */
  readonly botRequests: number;
  readonly undeclaredRequests: number;
  readonly unknownBotRequests: number;
  /** Without a user agent, or with one that belongs to no client. */
  readonly namelessRequests: number;
  /** Over all requests; null: the logs have no times. */
  readonly p95Ms: number | null;
  readonly access: readonly BotAccess[];
  readonly crawl: CrawlFacts;
  /** For search and AI crawlers. */
  readonly claims: readonly BotClaims[];
}

export interface Facts {
  readonly now: number;
  /** When the last request was received; null: never. */
  readonly flow: { readonly lastReceivedAt: number | null };
  readonly logs: LogFacts;
  readonly robots: RobotsFacts;
  readonly sitemaps: SitemapFacts;
  /** `https://domain/` */
  readonly home: Retrieval;
  /** `http://domain/` */
  readonly plain: Retrieval;
  /** The same website with `www.`, or without it, over https. */
  readonly otherHost: Retrieval;
  /** The home page, if it responded with HTML. */
  readonly page: Page;
  /** The home page, and the pages that crawlers fetch most. */
  readonly pages: readonly Page[];
  /** The home page, requested again with its validators. */
  readonly again: Retrieval;
  /** A path that does not exist. */
  readonly madeUp: Retrieval;
  /** A page, and its address with or without the slash at the end. */
  readonly slash: { readonly page: Page; readonly twin: Retrieval };
  /** Some of the pages in sitemaps. */
  readonly listed: readonly Retrieval[];
  /** A script or style sheet of the home page; `none`: it loads none from its own host. */
  readonly asset: Retrieval | { readonly none: true };
  readonly favicon: Retrieval;
  readonly llms: Retrieval;
}
