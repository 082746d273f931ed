import { z } from '@hono/zod-openapi';
import { readSourceSync, type SourceSync } from '../../connections/source-syncs.js';
import type { ClickHouseReader } from '../../store/client.js';
import { daysBetween, plusDays } from '../../zone-days.js';
import { standaloneAnswer } from '../answer/answer.js';
import { count, loggedPath } from '../answer/figures.js';
import { moment } from '../answer/instant.js';
import { toMoment } from '../sitemaps/sitemap-membership.js';
import type { SearchConnection } from './search-connection.js';
import { scConnected, searchFigures, searchReason, toSearchFigures } from './search-figures.js';
import { addFigures, type DayFigures } from './search-measures.js';
import { readSearchDays, readTopPages, readTopQueries, type StoredSpan } from './search-performance-sql.js';

/** Maximum pages and queries of the lists. */
const TOP = 50;

const day = z.iso.date().openapi({ example: '2026-11-18' });
const span = { start: day, end: day.openapi({ description: 'The last day, included.' }) };

const totals = z.object({
  ...searchFigures,
  days_with_data: count('Days of the window with data from the source.'),
});

const window = z.object({
  ...span,
  days: count('Number of days, including both ends.'),
  data_through: day.openapi({ description: 'The last day with complete data from the source.' }),
});

export interface SearchPerformanceInput {
  /** null: the website has no search-performance source. */
  readonly connection: SearchConnection | null;
  /** A number of days that end with the last day of data, or days by date. */
  readonly wanted: { readonly days: number } | StoredSpan;
}

const nothing = {
  ...{ window: null, series: null, totals: null, previous: null },
  ...{ top_queries: null, top_pages: null, top_pages_window: null },
};

/** Impressions and clicks in a search engine's results (spec §4.5). */
export const searchPerformance = standaloneAnswer({
  schema: z.object({
    sc_connected: scConnected,
    available: z.boolean().openapi({ description: 'false: see reason; then all figures are null.' }),
    reason: searchReason,
    source: z.string().nullable().openapi({ description: 'The service.', example: 'google-search-console' }),
    property_url: z
      .string()
      .nullable()
      .openapi({ description: 'The service’s name of the website.', example: 'sc-domain:example.com' }),
    window: window.nullable(),
    series: z
      .array(z.object({ day, ...searchFigures }))
      .nullable()
      .openapi({ description: 'Days with data, oldest first.' }),
    totals: totals.nullable().openapi({ description: 'Totals of the whole property over the window.' }),
    previous: totals
      .extend({ window: z.object(span) })
      .nullable()
      .openapi({ description: 'Totals of the previous period, which has as many days.' }),
    top_queries: z
      .array(z.object({ query: z.string(), ...searchFigures }))
      .nullable()
      .openapi({
        description: `The ${TOP} queries with the most clicks. The source omits rare queries, so their sum is below the totals.`,
      }),
    top_pages: z
      .array(z.object({ path: loggedPath, ...searchFigures }))
      .nullable()
      .openapi({
        description: `The ${TOP} pages with the most clicks. A result may show two pages, so their sum may exceed the totals.`,
      }),
    top_pages_window: z.object(span).nullable().openapi({ description: 'The days of both lists.' }),
    last_sync_at: moment('Time of the last complete sync of the source; null: never.'),
    last_sync_counts: z
      .record(z.string(), z.int())
      .nullable()
      .openapi({ description: 'Counts of the last sync: days read, days left, inspections.' }),
    last_sync_problem: z
      .string()
      .nullable()
      .openapi({ description: 'Why the last sync did not complete; null: it did.' }),
  }),
  async read(reader, _asked, { connection, wanted }: SearchPerformanceInput) {
    const sync = connection === null ? null : await readSourceSync(reader, connection);
    const about = {
      sc_connected: connection !== null,
      source: connection?.kind ?? null,
      property_url: connection?.property ?? null,
      last_sync_at: toMoment(sync?.lastSyncAt ?? null),
      last_sync_counts: sync?.lastSyncAt ? { ...sync.counts } : null,
      last_sync_problem: sync?.problem ?? null,
    };
    const through = sync?.dataThrough ?? null;
    if (connection === null)
      return { available: false, reason: 'sc_not_connected' as const, ...nothing, ...about };
    if (through === null)
      return { available: false, reason: 'not_synced_yet' as const, ...nothing, ...about };
    return {
      available: true,
      reason: null,
      ...about,
      ...(await readFigures(reader, connection, { wanted, through })),
    };
  },
});

async function readFigures(
  reader: ClickHouseReader,
  connection: SearchConnection,
  {
    wanted,
    through,
  }: { wanted: SearchPerformanceInput['wanted']; through: NonNullable<SourceSync['dataThrough']> },
) {
  const asked = 'days' in wanted ? { from: plusDays(through, 1 - wanted.days), to: through } : wanted;
  const days = daysBetween(asked.from, asked.to) + 1;
  const before = { from: plusDays(asked.from, -days), to: plusDays(asked.from, -1) };
  const [all, queries, pages] = await Promise.all([
    readSearchDays(reader, connection, { from: before.from, to: asked.to }),
    readTopQueries(reader, connection, { ...asked, limit: TOP }),
    readTopPages(reader, connection, { ...asked, limit: TOP }),
  ]);
  const current = all.filter((one) => one.day >= asked.from);
  const span = { start: asked.from, end: asked.to };
  return {
    window: { ...span, days, data_through: through },
    series: current.map((one) => ({ day: one.day, ...toSearchFigures(one) })),
    totals: totalsOf(current),
    previous: {
      window: { start: before.from, end: before.to },
      ...totalsOf(all.filter((one) => one.day < asked.from)),
    },
    top_queries: queries.map(({ query, ...figures }) => ({ query, ...toSearchFigures(figures) })),
    top_pages: pages.map(({ path, ...figures }) => ({ path, ...toSearchFigures(figures) })),
    top_pages_window: span,
  };
}

function totalsOf(days: readonly DayFigures[]) {
  const sum = days.reduce(addFigures, { impressions: 0, clicks: 0, position: 0 });
  return { ...toSearchFigures(sum), days_with_data: days.length };
}
