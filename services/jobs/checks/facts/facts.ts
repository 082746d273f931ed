import type { FetchErrorCode } from '../../../../shared/fetch/fetch-error.js';
import type { RealCrawler } from '../../../../shared/reads/bots/classify-access.js';
import type { CrawlBasis } from '../../../../shared/reads/bots/crawl-basis-sql.js';
import type { Outcome } from '../../../../shared/reads/checks/verdict.js';
import type { HtmlPage } from './read-html.js';

/** What checks judge: plain data, gathered once a run. Instants in milliseconds since the epoch. */

/** One light fetch, redirects followed. */
export interface Retrieval {
  readonly outcome: Outcome;
  readonly requestedUrl: string;
  /** null: nothing answered. */
  readonly finalUrl: string | null;
  readonly redirects: readonly { readonly url: string; readonly status: number }[];
  readonly status: number | null;
  /** Why nothing answered, or the body could not be read: the fetcher's code, and a sentence for the customer. */
  readonly error: { readonly code: FetchErrorCode; readonly message: string } | null;
  /** By name in lower case. */
  readonly headers: ReadonlyMap<string, string>;
  /** Each line of X-Robots-Tag: one may name another crawler, which must not hold for the next. */
  readonly robotsTags: readonly string[];
  /** Of the body, inflated, as far as it was read. */
  readonly bytes: number;
  /** There is more of it. */
  readonly isCut: boolean;
  /** Of a text that is no HTML: its beginning. */
  readonly text: string;
  /** null: it is no HTML. */
  readonly html: HtmlPage | null;
  /** From the start to the head of the last answer, DNS, TLS and redirects included. */
  readonly headMs: number;
  /** When the certificate of the last hop ends; null: none is known. */
  readonly certificateUntil: number | null;
}

/** A page that answered with HTML. */
export interface Page {
  readonly retrieval: Retrieval & { readonly finalUrl: string };
  readonly html: HtmlPage;
}

/** As the answer `robots` tells it. */
export interface RobotsFacts {
  readonly status: 'found' | 'missing' | 'blocked' | 'server_error' | 'unreachable';
  readonly httpStatus: number | null;
  readonly problem: string | null;
  /** The version in force; null: none is known. '' where there is no file. */
  readonly content: string | null;
  readonly isTruncated: boolean;
  /** What crawlers fetched of the last seven days although it is disallowed; null: not judged. */
  readonly violations: {
    readonly total: number;
    /** Requests before it were not judged. */
    readonly judgedSince: number;
    /** false: there was more than could be judged. */
    readonly isComplete: boolean;
    /** Those with most requests first. */
    readonly bots: readonly { readonly bot: string; readonly requests: number; readonly paths: number }[];
    readonly examples: readonly {
      readonly bot: string;
      readonly path: string;
      readonly requests: number;
      readonly rule: string;
    }[];
  } | null;
}

/** As the answer `sitemap` tells it. */
export interface SitemapFacts {
  readonly state: 'read' | 'none' | 'unreadable';
  readonly complete: boolean;
  readonly incompleteReason: string | null;
  readonly files: number;
  readonly failedFiles: number;
  readonly foreignUrls: number;
  readonly invalidUrls: number;
  /** `code`: as the answer names it, `dns` or `http_403` among others. */
  readonly problems: readonly { readonly sitemap: string; readonly code: string; readonly message: string }[];
  /** Pages; null: not known. */
  readonly listed: number | null;
  readonly neverCrawled: number | null;
  readonly notInSitemap: number | null;
  /** Of listed pages that were found last, when they say that they changed; null: they do not. */
  readonly lastmods: readonly (number | null)[];
}

/** How a crawler was answered: requests that are proved to be its own, and the others under its name. */
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

/** Requests that claim to be of a crawler. */
export interface BotClaims {
  readonly name: string;
  readonly category: string;
  readonly claims: number;
  readonly verified: number;
  readonly spoofed: number;
  /** Not decided, although the crawler has a way to be verified. */
  readonly undecided: number;
}

/** What search crawlers met. */
export interface CrawlFacts {
  /** Which requests are counted in all of this: verified ones, or unproved claims where none is verified. */
  readonly basis: CrawlBasis;
  readonly requests: number;
  /** Claims that are not decided although the crawler has a way to be verified. */
  readonly undecided: number;
  /** In the seven days before; null: the logs do not reach so far back. */
  readonly requestsBefore: number | null;
  readonly notFound: number;
  readonly serverErrors: number;
  readonly redirected: number;
  readonly withQuery: number;
  /** Mean; null: the logs tell no times. */
  readonly meanMs: number | null;
  /** URL patterns with the requests whose time is known, the slowest first (services/jobs/crawl-health/crawl-health.ts). */
  readonly templates: readonly {
    readonly pattern: string;
    readonly requests: number;
    readonly meanMs: number;
    /** Three quarters of the requests were for pages that take at most so long on the mean. */
    readonly p75Ms: number;
    readonly example: string;
  }[];
  readonly consistency: {
    readonly checked: number;
    /** Of the pages with server errors or mostly errors, those that are not always answered 4xx. */
    readonly unsteady: number;
    readonly warning: number;
    readonly worst: readonly { readonly path: string; readonly statuses: Readonly<Record<string, number>> }[];
  };
}

/** The last seven days of the logs, as the answers of the API tell them. */
export interface LogFacts {
  /** The hour of the oldest request that is stored, however old; at least a day ago. */
  readonly since: number;
  readonly requests: number;
  /** Those of no person: bots and undeclared agents. */
  readonly botRequests: number;
  readonly undeclaredRequests: number;
  readonly unknownBotRequests: number;
  /** Without a user agent, or with one that is no client's. */
  readonly namelessRequests: number;
  /** Of all requests; null: the logs tell no times. */
  readonly p95Ms: number | null;
  readonly access: readonly BotAccess[];
  readonly crawl: CrawlFacts;
  /** Of search and AI crawlers. */
  readonly claims: readonly BotClaims[];
}

export interface Facts {
  readonly now: number;
  /** Last request that was received; null: never. */
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
  /** The home page, where it answered with HTML. */
  readonly page: Page;
  /** Home page, and pages that crawlers fetch most. */
  readonly pages: readonly Page[];
  /** The home page, asked with the validators that came with it. */
  readonly again: Retrieval;
  /** A path that nobody has. */
  readonly madeUp: Retrieval;
  /** A page, and its address with or without the slash at the end. */
  readonly slash: { readonly page: Page; readonly twin: Retrieval };
  /** Some of the pages that sitemaps list. */
  readonly listed: readonly Retrieval[];
  /** A script or style sheet of the home page; `none`: it loads none from its own host. */
  readonly asset: Retrieval | { readonly none: true };
  readonly favicon: Retrieval;
  readonly llms: Retrieval;
}
