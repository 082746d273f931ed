import { type GoogleAnswer, type GoogleServer, startGoogleServer } from './google-server.js';

/** A server with the documented protocol of Google's Search Console. */

export interface ConsoleRow {
  readonly date: string;
  readonly page: string;
  readonly query: string;
  readonly impressions: number;
  readonly clicks: number;
  readonly position: number;
}

export interface SearchConsoleServer extends GoogleServer {
  /** The reported data; tests change it. */
  rows: ConsoleRow[];
  /** By URL: `indexStatusResult`. */
  readonly inspections: Map<string, object>;
  /** Answers that replace the service's own, one per call; status 0: the service's own answer. */
  readonly failures: GoogleAnswer[];
}

export async function startSearchConsole(): Promise<SearchConsoleServer> {
  const world = {
    rows: [] as ConsoleRow[],
    inspections: new Map<string, object>(),
    failures: [] as GoogleAnswer[],
  };
  const server = await startGoogleServer({
    failureOfToken: () => (world.failures.at(0)?.status === 400 ? world.failures.shift() : undefined),
    answer(path, body) {
      const failure = world.failures.shift();
      if (failure !== undefined && failure.status !== 0) return failure;
      if (path === '/v1/urlInspection/index:inspect') {
        const indexStatusResult = world.inspections.get(body.inspectionUrl) ?? { verdict: 'NEUTRAL' };
        return { status: 200, body: { inspectionResult: { indexStatusResult } } };
      }
      return { status: 200, body: { rows: queried(world.rows, body), responseAggregationType: 'byPage' } };
    },
  });
  return Object.assign(world, server);
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
