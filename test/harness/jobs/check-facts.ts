import type { Gathered } from '../../../services/jobs/checks/facts/check.js';
import type {
  BotAccess,
  CrawlFacts,
  Facts,
  LogFacts,
  Page,
  Retrieval,
  RobotsFacts,
  SitemapFacts,
} from '../../../services/jobs/checks/facts/facts.js';
import { type HtmlPage, readHtml } from '../../../services/jobs/checks/facts/read-html.js';
import { DAY_MS, HOUR_MS } from '../../../shared/durations.js';
import type { FetchErrorCode } from '../../../shared/fetch/fetch-error.js';
import { inOneGo } from '../in-one-go.js';

/** The facts of a website without problems; each test changes some. */

export const NOW = Date.UTC(2026, 10, 22, 3);
const HOME = 'https://example.com/';

const HEAD = `<!doctype html><html lang="en"><head><title>Teapots of Example</title>
<meta name="description" content="Teapots, made by hand."><meta name="viewport" content="width=device-width">
<link rel="canonical" href="https://example.com/"><link rel="stylesheet" href="/a.css"><script src="/a.js"></script>
<script type="application/ld+json">{"@type": "Store"}</script></head><body><h1>Teapots</h1></body></html>`;

export const html = (given: Partial<HtmlPage> = {}): HtmlPage => ({ ...inOneGo(readHtml(HEAD)), ...given });

const HEADERS = {
  'content-encoding': 'br',
  etag: '"1"',
  'strict-transport-security': 'max-age=31536000',
  'content-security-policy': "default-src 'self'; frame-ancestors 'self'",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'strict-origin-when-cross-origin',
};

type Given = Partial<Omit<Retrieval, 'headers'>> & { readonly headers?: Record<string, string> };

/** An answer 200 from `finalUrl`. */
export function retrieval({ headers = HEADERS, ...given }: Given = {}): Retrieval & { finalUrl: string } {
  return {
    outcome: 'ok',
    requestedUrl: HOME,
    redirects: [],
    status: 200,
    error: null,
    bytes: 30_000,
    isCut: false,
    text: '',
    html: null,
    headMs: 120,
    certificateUntil: NOW + 60 * DAY_MS,
    robotsTags: [],
    ...given,
    finalUrl: given.finalUrl ?? HOME,
    headers: new Map(Object.entries(headers)),
  };
}

/** An answer with an error status. */
export const answered = (status: number, given: Given = {}): Retrieval => {
  const outcome =
    status === 404 || status === 410
      ? 'missing'
      : status === 403 || status === 429
        ? 'blocked'
        : status >= 500
          ? 'server_error'
          : 'http_error';
  return retrieval({ status, outcome, headers: {}, ...given });
};

/** No answer, or one without end. */
export const failed = (code: FetchErrorCode): Retrieval => ({
  ...retrieval({ headers: {} }),
  outcome: code === 'too_many_redirects' ? 'invalid' : 'unreachable',
  status: null,
  finalUrl: null,
  certificateUntil: null,
  error: { code, message: `example.com: ${code}.` },
});

export const page = (given: Partial<HtmlPage> = {}, of: Given = {}): Page => ({
  retrieval: retrieval(of),
  html: html(given),
});

export const robots = (given: Partial<RobotsFacts> = {}): RobotsFacts => ({
  status: 'found',
  httpStatus: 200,
  problem: null,
  content: 'User-agent: *\nDisallow: /cart/\nSitemap: https://example.com/sitemap.xml\n',
  isTruncated: false,
  violations: { total: 0, judgedSince: NOW - 7 * DAY_MS, isComplete: true, bots: [], examples: [] },
  ...given,
});

export const sitemaps = (given: Partial<SitemapFacts> = {}): SitemapFacts => ({
  state: 'read',
  complete: true,
  incompleteReason: null,
  files: 1,
  failedFiles: 0,
  foreignUrls: 0,
  invalidUrls: 0,
  problems: [],
  listed: 100,
  neverCrawled: 5,
  notInSitemap: 3,
  lastmods: [NOW - 3 * DAY_MS, NOW - 9 * DAY_MS],
  ...given,
});

/** An admitted bot by default. */
export const botAccess = (given: Partial<BotAccess> = {}): BotAccess => ({
  ...{ name: 'Bot', operator: 'Example', category: 'search', real: 'let_in' },
  ...{ served: 0, rejected: 0, charged: 0, byStatus: {}, unverifiedServed: 0, unverifiedRejected: 0 },
  ...given,
});

export function logs({
  crawl,
  ...given
}: Partial<Omit<LogFacts, 'crawl'>> & { crawl?: Partial<CrawlFacts> | undefined } = {}): LogFacts {
  return {
    since: NOW - 100 * DAY_MS,
    requests: 10_000,
    botRequests: 4_000,
    undeclaredRequests: 10,
    unknownBotRequests: 100,
    namelessRequests: 10,
    p95Ms: 400,
    access: [
      botAccess({ name: 'Googlebot', operator: 'Google', category: 'search', served: 900 }),
      botAccess({ name: 'GPTBot', operator: 'OpenAI', category: 'ai', served: 200 }),
    ],
    claims: [
      { name: 'Googlebot', category: 'search', claims: 1_020, verified: 1_000, spoofed: 20, undecided: 0 },
      { name: 'GPTBot', category: 'ai', claims: 200, verified: 198, spoofed: 2, undecided: 0 },
    ],
    ...given,
    crawl: {
      basis: 'verified',
      requests: 1_000,
      requestsBefore: 1_000,
      undecided: 0,
      notFound: 10,
      serverErrors: 1,
      redirected: 20,
      withQuery: 50,
      meanMs: 150,
      templates: [{ pattern: '/blog/{slug}', requests: 300, meanMs: 200, p75Ms: 220, example: '/blog/a' }],
      consistency: { checked: 200, unsteady: 0, warning: 1, worst: [] },
      ...crawl,
    },
  };
}

export function gathered(given: Partial<Gathered> = {}): Gathered {
  const healthy: Facts = {
    now: NOW,
    flow: { lastReceivedAt: NOW - HOUR_MS },
    logs: logs(),
    robots: robots(),
    sitemaps: sitemaps(),
    home: retrieval({ html: html() }),
    plain: retrieval({
      requestedUrl: 'http://example.com/',
      redirects: [{ url: 'http://example.com/', status: 301 }],
    }),
    otherHost: retrieval({
      requestedUrl: 'https://www.example.com/',
      redirects: [{ url: 'https://www.example.com/', status: 301 }],
    }),
    page: page(),
    pages: [page()],
    again: retrieval({ status: 304, outcome: 'http_error' }),
    madeUp: answered(404),
    slash: {
      page: page({}, { finalUrl: 'https://example.com/blog/' }),
      twin: retrieval({ redirects: [{ url: 'https://example.com/blog', status: 301 }] }),
    },
    listed: [retrieval(), retrieval()],
    asset: retrieval({ headers: { 'cache-control': 'public, max-age=31536000, immutable' } }),
    favicon: retrieval(),
    llms: retrieval({ text: '# Example' }),
  };
  return { ...healthy, ...given };
}
