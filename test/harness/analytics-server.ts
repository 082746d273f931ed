import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A server that speaks what Google documents of the Analytics Data API, v1beta, and of the address that gives tokens. */

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

/** In place of the service's own answer: text as it stands, or cut before its end. */
export interface OtherAnswer {
  readonly status: number;
  readonly body: object | string;
  readonly cut?: boolean;
}

export interface AnalyticsServer {
  readonly fetch: typeof fetch;
  /** What is told; tests change it. */
  hits: AnalyticsHit[];
  /** What "0daysAgo" is in the property's time zone. */
  today: string;
  metadata: object;
  /** Answers that come before those of the service, one a call; null: the service's own. */
  readonly failures: (OtherAnswer | null)[];
  /** The same for tokens. */
  readonly tokenFailures: OtherAnswer[];
  readonly calls: { path: string; body: any }[];
  readonly tokens: URLSearchParams[];
  stop(): Promise<void>;
}

const ACCESS = 'test-access-token';

export async function startAnalytics(today: string): Promise<AnalyticsServer> {
  const world = {
    today,
    hits: [] as AnalyticsHit[],
    metadata: { currencyCode: 'EUR', timeZone: 'Europe/Berlin' } as object,
    failures: [] as (OtherAnswer | null)[],
    tokenFailures: [] as OtherAnswer[],
    calls: [] as { path: string; body: any }[],
    tokens: [] as URLSearchParams[],
  };
  const server = createServer(async (request, response) => {
    const { status, body, cut = false } = answer(request, await bodyOf(request));
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    response.writeHead(status, {
      'Content-Type': 'application/json',
      'Content-Length': Buffer.byteLength(text),
    });
    if (!cut) return void response.end(text);
    response.write(text.slice(0, text.length / 2), () => response.destroy());
  });

  function answer(request: IncomingMessage, text: string): OtherAnswer {
    if (request.url === '/token') {
      world.tokens.push(new URLSearchParams(text));
      const given = { access_token: ACCESS, expires_in: 3600, token_type: 'Bearer' };
      return world.tokenFailures.shift() ?? { status: 200, body: given };
    }
    if (request.headers.authorization !== `Bearer ${ACCESS}`) return { status: 401, body: {} };
    const path = decodeURIComponent(request.url!);
    const body = JSON.parse(text);
    world.calls.push({ path, body });
    const failure = world.failures.shift();
    if (failure) return failure;
    return { status: 200, body: reported(world, body) };
  }

  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return Object.assign(world, {
    fetch: ((input: string | URL | Request, init?: RequestInit) => {
      const { hostname, pathname } = new URL(input instanceof Request ? input.url : input);
      if (!hostname.endsWith('googleapis.com')) throw new Error(`${hostname} was not to be asked`);
      return fetch(origin + pathname, init);
    }) as typeof fetch,
    stop: () =>
      new Promise<void>((done) => {
        server.close(() => done());
        server.closeAllConnections();
      }),
  });
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

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}
