import { averageTimeMs, isCovered, sumsOf } from '../../../../shared/reads/answer/figures.js';
import { readCountedCrawlers } from '../../../../shared/reads/bots/counted-crawlers.js';
import type { CrawlBasis } from '../../../../shared/reads/bots/crawl-basis-sql.js';
import {
  isUnsteady,
  readStatusPages,
  readStatusSummary,
} from '../../../../shared/reads/seo/status-consistency-sql.js';
import { readLogStart } from '../../../../shared/reads/sql/data-since.js';
import { bots, crawlerPaths } from '../../../../shared/reads/sql/read-tables.js';
import { previousWindow, type Scope } from '../../../../shared/reads/sql/scope.js';
import { select } from '../../../../shared/reads/sql/select.js';
import { createPatternLearner } from '../../../../shared/reads/url-patterns/learn-patterns.js';
import type { ClickHouseReader } from '../../../../shared/store/client.js';

/** The responses to a website's search crawlers: the figures of the nightly checks that no API answer has. */
export interface CrawlHealth {
  /** The requests that are counted. */
  readonly basis: CrawlBasis;
  readonly requests: number;
  /** In the previous window of the same length; null: the logs do not cover it. */
  readonly requestsBefore: number | null;
  /** Unproved claims; not counted if the basis is verified. */
  readonly unproved: number;
  /** Mean; null: the logs have no times. */
  readonly meanMs: number | null;
  /** Responses with 404. */
  readonly notFound: number;
  readonly serverErrors: number;
  /** Responses with a redirect status, without 304. */
  readonly redirected: number;
  /** For URLs with a query string. */
  readonly withQuery: number;
  /** URL patterns of the most requested paths, the slowest first. Times are stored as sums by path, so each path counts with its mean. */
  readonly templates: readonly {
    readonly pattern: string;
    /** Requests with a known time. */
    readonly requests: number;
    readonly meanMs: number;
    /** Three quarters of these requests were for paths with at most this mean. One slow path among many does not change it. */
    readonly p75Ms: number;
    /** The most requested path, its first kilobyte. */
    readonly example: string;
  }[];
  /** Over paths with at least LEAST_OF_PATH requests. */
  readonly consistency: {
    readonly checked: number;
    /** Paths with server errors, or mostly with errors. A page that always returned 404 or 410 is not counted. */
    readonly unsteady: number;
    readonly warning: number;
    /** The most urgent of the unsteady paths. */
    readonly worst: readonly { readonly path: string; readonly statuses: Readonly<Record<string, number>> }[];
  };
}

/** Paths from which templates are derived. */
const MOST_PATHS = 5_000;
const MOST_TEMPLATES = 20;
/** Templates with fewer timed requests are left out. */
const LEAST_REQUESTS = 20;
const SHARE_WITHIN = 0.75;

/** The default of `status-consistency`. */
const LEAST_OF_PATH = 3;
/** Candidates for the worst paths. Steady ones among them are filtered out later. */
const MOST_FAULTY = 200;
const MOST_WORST = 5;

const search = { params_filter: 'all' } as const;

export async function readCrawlHealth(reader: ClickHouseReader, scope: Scope): Promise<CrawlHealth> {
  const counted = await readCountedCrawlers(reader, scope, search);
  const { statuses } = await select(reader, counted.scope, {
    name: 'crawl_health.statuses',
    from: [bots, crawlerPaths],
    lists: { statuses: { by: ['status'] } },
    metrics: ['requests', 'redirected_requests', 'timed_requests', 'time_taken_ms'],
  });
  const { queries } = await select(reader, counted.scope, {
    name: 'crawl_health.queries',
    from: [crawlerPaths],
    lists: { queries: { by: ['has_query'] } },
    metrics: ['requests'],
  });
  return {
    basis: counted.basis,
    requests: sum(statuses),
    requestsBefore: await readRequestsBefore(reader, scope, counted.basis),
    unproved: counted.unproved,
    meanMs: averageTimeMs(sumsOf(['timed_requests', 'time_taken_ms'], statuses)),
    notFound: sum(statuses.filter(({ status }) => status === 404)),
    serverErrors: sum(statuses.filter(({ status }) => status >= 500 && status < 600)),
    redirected: statuses.reduce((total, { redirected_requests }) => total + redirected_requests, 0),
    withQuery: sum(queries.filter(({ has_query }) => has_query === 1)),
    templates: await readTemplates(reader, counted.scope),
    consistency: await readConsistency(reader, counted.scope),
  };
}

/** If no request is verified now, all claims of both windows are compared. Otherwise verified requests would seem to have stopped. */
async function readRequestsBefore(
  reader: ClickHouseReader,
  scope: Scope,
  basis: CrawlBasis,
): Promise<number | null> {
  const window = previousWindow(scope.window);
  const logs = await readLogStart(reader, scope.websiteId);
  if (logs === null || !isCovered(logs.completeSince, window)) return null;
  const { verified, unproved } = await readCountedCrawlers(reader, { ...scope, window }, search);
  return basis === 'verified' ? verified : verified + unproved;
}

const sum = (rows: readonly { readonly requests: number }[]) =>
  rows.reduce((total, { requests }) => total + requests, 0);

async function readConsistency(reader: ClickHouseReader, scope: Scope): Promise<CrawlHealth['consistency']> {
  const question = { from: [crawlerPaths], minRequests: LEAST_OF_PATH, limit: MOST_FAULTY } as const;
  const { checked, unsteady, warning } = await readStatusSummary(reader, scope, question);
  const pages = await readStatusPages(reader, scope, question);
  return {
    checked,
    unsteady,
    warning,
    worst: pages
      .filter(isUnsteady)
      .slice(0, MOST_WORST)
      .map(({ path, statuses, status_requests }) => ({
        path,
        statuses: Object.fromEntries(statuses.map((status, place) => [status, status_requests[place]!])),
      })),
  };
}

async function readTemplates(reader: ClickHouseReader, scope: Scope): Promise<CrawlHealth['templates']> {
  const { paths } = await select(reader, scope, {
    name: 'crawl_health.paths',
    from: [crawlerPaths],
    lists: { paths: { by: ['path_start'], limit: MOST_PATHS } },
    metrics: ['requests', 'timed_requests', 'time_taken_ms'],
  });
  const timed = paths.filter(({ path_start, timed_requests }) => path_start !== '' && timed_requests > 0);
  const learner = createPatternLearner();
  for (const { path_start } of timed) learner.add(path_start);
  const learned = learner.patterns();
  const templates = new Map<string, TimedPath[]>();
  for (const [place, row] of timed.entries()) {
    const pattern = learned[place]!;
    const own = templates.get(pattern);
    if (own === undefined) templates.set(pattern, [row]);
    else own.push(row);
  }
  return [...templates]
    .map(([pattern, own]) => ({ pattern, ...timesOf(own), example: own[0]!.path_start }))
    .filter(({ requests }) => requests >= LEAST_REQUESTS)
    .sort((one, other) => other.p75Ms - one.p75Ms || (one.pattern < other.pattern ? -1 : 1))
    .slice(0, MOST_TEMPLATES);
}

interface TimedPath {
  readonly path_start: string;
  readonly timed_requests: number;
  readonly time_taken_ms: number;
}

/** @param paths at least one, each with timed requests */
function timesOf(paths: readonly TimedPath[]): { requests: number; meanMs: number; p75Ms: number } {
  const sum = (of: (path: TimedPath) => number) => paths.reduce((total, path) => total + of(path), 0);
  const requests = sum(({ timed_requests }) => timed_requests);
  const means = paths
    .map((path) => ({ ms: averageTimeMs(path)!, requests: path.timed_requests }))
    .sort((one, other) => one.ms - other.ms);
  let within = 0;
  const last = means.find((mean) => {
    within += mean.requests;
    return within >= SHARE_WITHIN * requests;
  });
  const time_taken_ms = sum((path) => path.time_taken_ms);
  return { requests, meanMs: averageTimeMs({ timed_requests: requests, time_taken_ms })!, p75Ms: last!.ms };
}
