import { type GoogleAnswer, type GoogleServer, startGoogleServer } from './google-server.js';

/** A server with the documented protocol of Google's Analytics Data API, v1beta. */

export interface AnalyticsHit {
  readonly date: string;
  readonly hostName?: string;
  readonly landingPage?: string;
  readonly pagePath?: string;
  readonly sessionSource?: string;
  readonly sessionMedium?: string;
  readonly sessions?: number;
  readonly engagedSessions?: number;
  readonly keyEvents?: number;
  readonly totalRevenue?: number;
  readonly screenPageViews?: number;
  readonly activeUsers?: number;
  readonly userEngagementDuration?: number;
}

export interface AnalyticsServer extends GoogleServer {
  /** The reported data; tests change it. */
  hits: AnalyticsHit[];
  /** The date of "0daysAgo" in the property's time zone. */
  today: string;
  metadata: object;
  /** Answers that replace the service's own, one per call; null: the service's own answer. */
  readonly failures: (GoogleAnswer | null)[];
  /** The same for token requests. */
  readonly tokenFailures: GoogleAnswer[];
}

export async function startAnalytics(today: string): Promise<AnalyticsServer> {
  const world = {
    today,
    hits: [] as AnalyticsHit[],
    metadata: { currencyCode: 'EUR', timeZone: 'Europe/Berlin' } as object,
    failures: [] as (GoogleAnswer | null)[],
    tokenFailures: [] as GoogleAnswer[],
  };
  const server = await startGoogleServer({
    failureOfToken: () => world.tokenFailures.shift(),
    answer: (_path, body) => world.failures.shift() ?? { status: 200, body: reported(world, body) },
  });
  return Object.assign(world, server);
}

interface Asked {
  readonly dateRanges: readonly [{ startDate: string; endDate: string }];
  readonly dimensions: readonly { name: keyof AnalyticsHit }[];
  readonly metrics: readonly { name: keyof AnalyticsHit }[];
  readonly dimensionFilter: { filter: { fieldName: string; inListFilter: { values: string[] } } };
  readonly limit: string;
  readonly offset: string;
}

function reported(world: { hits: AnalyticsHit[]; today: string; metadata: object }, asked: Asked): object {
  const [{ startDate, endDate }] = asked.dateRanges;
  const [from, to] = [dayOf(startDate, world.today), dayOf(endDate, world.today)];
  const hosts = asked.dimensionFilter.filter.inListFilter.values;
  const groups = new Map<string, { named: string[]; values: number[] }>();
  for (const hit of world.hits) {
    if (hit.date < from || hit.date > to || !hosts.includes(hit.hostName ?? 'www.example.com')) continue;
    const named = asked.dimensions.map(({ name }) =>
      name === 'date' ? hit.date.replaceAll('-', '') : String(hit[name] ?? '(not set)'),
    );
    const values = asked.metrics.map(({ name }) => Number(hit[name] ?? 0));
    const group = groups.get(JSON.stringify(named)) ?? { named, values: values.map(() => 0) };
    group.values = group.values.map((value, index) => value + values[index]!);
    groups.set(JSON.stringify(named), group);
  }
  // A combination without an event of its kind has no row.
  const all = [...groups.values()].filter(({ values }) => values.some((value) => value !== 0));
  all.sort((one, other) => other.values[0]! - one.values[0]!);
  const rows = all.slice(Number(asked.offset)).slice(0, Number(asked.limit));
  return {
    dimensionHeaders: asked.dimensions,
    metricHeaders: asked.metrics.map(({ name }) => ({ name, type: 'TYPE_INTEGER' })),
    ...(rows.length > 0 && {
      rows: rows.map(({ named, values }) => ({
        dimensionValues: named.map((value) => ({ value })),
        metricValues: values.map((value) => ({ value: String(value) })),
      })),
      rowCount: all.length,
    }),
    metadata: world.metadata,
    kind: 'analyticsData#runReport',
  };
}

function dayOf(text: string, today: string): string {
  const ago = /^(\d+)daysAgo$/.exec(text);
  return ago === null
    ? text
    : new Date(Date.parse(today) - Number(ago[1]) * 86_400_000).toISOString().slice(0, 10);
}
