import { MAX_RECOMMENDATION_KEY } from '../../control/aggregates/resolution.js';
import { isProbedPath } from '../../detection/probes.js';
import type { ClickHouseReader } from '../../store/client.js';
import { type CrawlBases, verificationsOf } from '../bots/crawl-basis-sql.js';
import { oneOf } from '../sql/filters.js';
import { crawlerPaths, paths as pathsRollup } from '../sql/read-tables.js';
import type { Scope } from '../sql/scope.js';
import { select, selectList } from '../sql/select.js';
import { readByTexts } from '../sql/text-batches.js';
import { type NotFoundPath, readNotFound } from './not-found-paths.js';
import type { RecommendationInput } from './recommendation-input.js';
import { isSlow, ranked, type Scored, scoreNotFound, scoreSlow } from './recommendation-scores.js';

/** Paths that are candidates for repair. */

/** Paths with the most requests answered 4xx. */
const MOST_FAILING = 500;
/** Paths with the most total time, which is an upper bound of the time lost. */
const MOST_TIMED = 1_000;

interface Candidate extends Scored {
  readonly key: string;
  readonly path: string;
  readonly isResolved: boolean;
}

export interface NotFoundCandidate extends Candidate {
  readonly requests: NotFoundPath;
  /** Requests of the window answered 2xx or 3xx. */
  readonly served: number;
  /** Only scanners for vulnerabilities request it. */
  readonly isProbed: boolean;
}

/** Paths with requests answered 404, best first, including resolved ones; from rollups. @throws as ClickHouseReader.read */
export async function readNotFoundCandidates(
  reader: ClickHouseReader,
  scope: Scope,
  { isResolved }: Pick<RecommendationInput, 'isResolved'>,
  bases: CrawlBases,
): Promise<NotFoundCandidate[]> {
  const { failing } = await select(reader, scope, {
    name: 'recommendations.failing',
    from: [pathsRollup],
    lists: { failing: { by: ['path'], limit: MOST_FAILING } },
    metrics: ['status_4xx', 'status_2xx', 'status_3xx'],
  });
  const servedOf = new Map(
    failing.map(({ path, status_2xx, status_3xx }) => [path, status_2xx + status_3xx]),
  );
  const found = await readNotFound(reader, scope, [...servedOf.keys()].filter(canBeKey), bases);
  return ranked(
    found.map((requests): NotFoundCandidate => {
      const { path, people, search, ai, hits, last_seen } = requests;
      const key = `404:${path}`;
      const served = servedOf.get(path) ?? 0;
      const isProbed = isProbedPath(path, true);
      return {
        key,
        path,
        requests,
        served,
        isProbed,
        ...scoreNotFound({ people, search, ai, hits, served, isProbed }),
        isResolved: isResolved(key, { alertAt: null, requestAt: last_seen }),
      };
    }),
  );
}

/** A path that can be resolved must have a key. */
const canBeKey = (path: string) =>
  path.startsWith('/') && path.length + '404:'.length < MAX_RECOMMENDATION_KEY;

export interface SlowCandidate extends Candidate {
  readonly timed_requests: number;
  readonly time_taken_ms: number;
  readonly lastSeen: number;
}

/** Paths whose timed requests are slow on average, best first, including resolved ones; from rollups. @throws as ClickHouseReader.read */
export async function readSlowCandidates(
  reader: ClickHouseReader,
  scope: Scope,
  { isResolved }: Pick<RecommendationInput, 'isResolved'>,
  bases: CrawlBases,
): Promise<SlowCandidate[]> {
  const { timed } = await select(reader, scope, {
    name: 'recommendations.timed',
    from: [pathsRollup],
    lists: { timed: { by: ['path'], limit: MOST_TIMED } },
    metrics: [
      'time_taken_ms',
      'timed_requests',
      'requests',
      'human_requests',
      'status_5xx',
      'bytes_sent',
      'last_seen',
    ],
  });
  const slow = timed.filter((row) => isSlow(row) && canBeKey(row.path));
  const never = { alertAt: null, requestAt: null };
  const done = slow.filter(({ path }) => isResolved(`slow:${path}`, never)).map(({ path }) => path);
  const lastSlowDay = await readLastSlowDays(reader, scope, done);
  const searched = await readSearched(
    reader,
    scope,
    slow.map(({ path }) => path),
    bases,
  );
  return ranked(
    slow.map(({ path, timed_requests, time_taken_ms, last_seen, ...row }): SlowCandidate => {
      const key = `slow:${path}`;
      return {
        key,
        path,
        timed_requests,
        time_taken_ms,
        lastSeen: last_seen,
        ...scoreSlow({
          timed_requests,
          time_taken_ms,
          requests: row.requests,
          people: row.human_requests,
          search: searched.has(path),
          status5xx: row.status_5xx,
          bytes_sent: row.bytes_sent,
        }),
        isResolved: isResolved(key, { alertAt: null, requestAt: lastSlowDay.get(path) ?? null }),
      };
    }),
  );
}

/** The paths that search crawlers fetched, by the requests that the basis counts. */
async function readSearched(
  reader: ClickHouseReader,
  scope: Scope,
  paths: readonly string[],
  { search }: CrawlBases,
): Promise<ReadonlySet<string>> {
  const crawlers = { category: 'search', verifications: verificationsOf[search] };
  const found = await readByTexts(paths, (batch) =>
    selectList(
      reader,
      { ...scope, filters: { ...scope.filters, crawlers } },
      {
        name: 'recommendations.slow_searched',
        from: [crawlerPaths],
        by: ['path'],
        limit: batch.length,
        metrics: ['requests'],
        where: [oneOf('path', batch)],
      },
    ),
  );
  return new Set(found.map(({ path }) => path));
}

/**
 * The start of the last UTC day on which each path was slow by that day's requests alone: a mean over the window would include the time
 * before the repair.
 */
async function readLastSlowDays(
  reader: ClickHouseReader,
  scope: Scope,
  paths: readonly string[],
): Promise<Map<string, number>> {
  const days = await readByTexts(paths, (batch) =>
    selectList(reader, scope, {
      name: 'recommendations.slow_days',
      from: [pathsRollup],
      by: ['path'],
      overTime: true,
      time: 'day',
      metrics: ['timed_requests', 'time_taken_ms'],
      where: [oneOf('path', batch)],
    }),
  );
  const last = new Map<string, number>();
  for (const day of days)
    if (isSlow(day)) last.set(day.path, Math.max(day.time, last.get(day.path) ?? day.time));
  return last;
}
