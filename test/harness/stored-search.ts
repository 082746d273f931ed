import { insertSourceSync } from '../../shared/connections/source-syncs.js';
import type { ControlPlane } from '../../shared/control/control-plane.js';
import type { ConnectionKind } from '../../shared/control/domain/model.js';
import { type Inspection, writeInspections } from '../../shared/reads/search/inspections.js';
import { type SearchConnection, searchConnectionOf } from '../../shared/reads/search/search-connection.js';
import {
  addFigures,
  type PageQueryFigures,
  type PathFigures,
  type QueryFigures,
  type SearchFigures,
} from '../../shared/reads/search/search-measures.js';
import { writePageQueries, writeSearchDay } from '../../shared/reads/search/search-writes.js';
import type { ClickHouse } from '../../shared/store/client.js';
import { granted } from './control-plane.js';

/** Stores a search-performance source for tests. */

/** Connects the website with an invalid credential. */
export async function connectSearch(
  control: ControlPlane,
  websiteId: string,
  {
    kind = 'google-search-console',
    property = 'https://www.example.com/',
  }: { kind?: ConnectionKind; property?: string } = {},
): Promise<SearchConnection> {
  const credential = '1:org/none:AAAA';
  granted(await control.execute({ type: 'connectSource', websiteId, kind, property, credential }, 'admin'));
  return searchConnectionOf(control.state(), websiteId)!;
}

export interface StoredSearch {
  /** By day. */
  readonly pages: Readonly<Record<string, readonly PathFigures[]>>;
  readonly queries?: Readonly<Record<string, readonly QueryFigures[]>>;
  readonly pageQueries?: readonly PageQueryFigures[];
  readonly inspections?: readonly Inspection[];
  /** Milliseconds since the epoch. */
  readonly at: number;
}

const nothing: SearchFigures = { impressions: 0, clicks: 0, position: 0 };

/** The totals of a day are the sums of its pages. */
export async function storeSearch(
  clickhouse: ClickHouse,
  connection: SearchConnection,
  { pages, queries = {}, pageQueries = [], inspections = [], at }: StoredSearch,
): Promise<void> {
  for (const [day, rows] of Object.entries(pages)) {
    const totals = { day, ...rows.map(figuresOf).reduce(addFigures, nothing) };
    await writeSearchDay(clickhouse, connection, at, { totals, pages: rows, queries: queries[day] ?? [] });
  }
  const through = Object.keys(pages).sort().at(-1)!;
  await writePageQueries(clickhouse, connection, { version: at, through }, pageQueries);
  await writeInspections(clickhouse, connection, inspections);
  await insertSourceSync(clickhouse, connection.kind, {
    ...{ websiteId: connection.websiteId, sourceId: connection.sourceId, attemptedAt: at, lastSyncAt: at },
    ...{ dataThrough: through, counts: { days: Object.keys(pages).length, days_left: 0, inspected: 0 } },
    ...{ problem: null, marks: { pageQueries: { version: at, through } } },
  });
}

function figuresOf({ impressions, clicks, position }: SearchFigures): SearchFigures {
  return { impressions, clicks, position };
}

/** An inspection of a listed page. */
export function inspectionOf(path: string, changed: Partial<Inspection> = {}): Inspection {
  return {
    ...{
      path,
      url: `https://www.example.com${path}`,
      verdict: 'PASS',
      coverageState: 'Submitted and indexed',
    },
    ...{ robotsState: 'ALLOWED', indexingState: 'INDEXING_ALLOWED', fetchState: 'SUCCESSFUL' },
    ...{ engineCanonical: `https://www.example.com${path}`, lastCrawl: null, inspectedAt: 0 },
    ...changed,
  };
}
