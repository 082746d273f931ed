import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A server that speaks what Google documents of Search Console's REST interface, and of the address that gives tokens. */

export interface ConsoleRow {
  readonly date: string;
  readonly page: string;
  readonly query: string;
  readonly impressions: number;
  readonly clicks: number;
  readonly position: number;
}

export interface SearchConsoleServer {
  readonly fetch: typeof fetch;
  /** What is told; tests change it. */
  rows: ConsoleRow[];
  /** By URL: `indexStatusResult`. */
  readonly inspections: Map<string, object>;
  /** Answers that come before those of the service, one a call: a status and a body; of status 0 the service's own. */
  readonly failures: { status: number; body: object }[];
  /** Path and body of each call, tokens aside. */
  readonly calls: { path: string; body: any }[];
  /** What was sent for a token. */
  readonly tokens: URLSearchParams[];
  stop(): Promise<void>;
}

const ACCESS = 'test-access-token';

export async function startSearchConsole(): Promise<SearchConsoleServer> {
  const world = {
    rows: [] as ConsoleRow[],
    inspections: new Map<string, object>(),
    failures: [] as { status: number; body: object }[],
    calls: [] as { path: string; body: any }[],
    tokens: [] as URLSearchParams[],
  };
  const server = createServer(async (request, response) => {
    const text = await bodyOf(request);
    const { status, body } = answer(request, text);
    response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
  });

  function answer(request: IncomingMessage, text: string): { status: number; body: object } {
    const path = decodeURIComponent(request.url!);
    if (path === '/token') {
      world.tokens.push(new URLSearchParams(text));
      const failure = world.failures.at(0)?.status === 400 ? world.failures.shift() : undefined;
      return (
        failure ?? { status: 200, body: { access_token: ACCESS, expires_in: 3600, token_type: 'Bearer' } }
      );
    }
    if (request.headers.authorization !== `Bearer ${ACCESS}`) return { status: 401, body: {} };
    const body = JSON.parse(text);
    world.calls.push({ path, body });
    const failure = world.failures.shift();
    if (failure !== undefined && failure.status !== 0) return failure;
    if (path === '/v1/urlInspection/index:inspect') {
      const indexStatusResult = world.inspections.get(body.inspectionUrl) ?? { verdict: 'NEUTRAL' };
      return { status: 200, body: { inspectionResult: { indexStatusResult } } };
    }
    return { status: 200, body: { rows: queried(world.rows, body), responseAggregationType: 'byPage' } };
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
  readonly startDate: string;
  readonly endDate: string;
  readonly dimensions: readonly ('date' | 'page' | 'query')[];
  readonly rowLimit: number;
  readonly startRow: number;
}

function queried(rows: readonly ConsoleRow[], { startDate, endDate, dimensions, rowLimit, startRow }: Asked) {
  const groups = new Map<string, { keys: string[]; impressions: number; clicks: number; places: number }>();
  for (const row of rows) {
    if (row.date < startDate || row.date > endDate) continue;
    const keys = dimensions.map((dimension) => row[dimension]);
    const group = groups.get(keys.join('\n')) ?? { keys, impressions: 0, clicks: 0, places: 0 };
    group.impressions += row.impressions;
    group.clicks += row.clicks;
    group.places += row.impressions * row.position;
    groups.set(keys.join('\n'), group);
  }
  const all = [...groups.values()].sort((one, other) => other.clicks - one.clicks);
  const page = all.slice(startRow, startRow + Math.min(rowLimit, 25_000));
  return page.length === 0
    ? undefined
    : page.map(({ keys, impressions, clicks, places }) => ({
        ...{ keys, impressions, clicks, ctr: clicks / impressions, position: places / impressions },
      }));
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}
