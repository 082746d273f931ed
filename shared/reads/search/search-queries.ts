import { z } from '@hono/zod-openapi';
import { ofLastReads } from '../../connections/last-reads.js';
import { readSourceSync, type SourceSync } from '../../connections/source-syncs.js';
import type { ClickHouseReader } from '../../store/client.js';
import { standaloneAnswer } from '../answer/answer.js';
import { loggedPath, sumsOf } from '../answer/figures.js';
import { moment } from '../answer/instant.js';
import { toMoment } from '../sitemaps/sitemap-membership.js';
import { type Part, readTogether } from '../sql/read-together.js';
import type { SearchConnection } from './search-connection.js';
import { scConnected, searchFigures, searchReason, toSearchFigures } from './search-figures.js';
import type { SearchFigures } from './search-measures.js';
import { pageDays, pageQueries, RECENT_DAYS, readRecentDays } from './search-performance-sql.js';
import { readMarks } from './search-sync-marks.js';

const MOST_QUERIES = 10;

/** Fields of this answer, also part of the report on one URL. */
export const pageSearches = {
  top_queries: z
    .array(z.object({ query: z.string(), ...searchFigures }))
    .nullable()
    .openapi({
      description: `Search queries of people who were shown the page on ${RECENT_DAYS} days: at most ${MOST_QUERIES}, most clicks first.`,
    }),
  daily: z
    .array(z.object({ day: z.iso.date(), ...searchFigures }))
    .nullable()
    .openapi({
      description: `The days of the last ${RECENT_DAYS} days of data with impressions of the page.`,
    }),
};

interface PageSearchesAsked {
  readonly connection: SearchConnection;
  readonly path: string;
  /** null: no sync yet. */
  readonly sync: SourceSync | null;
}

/**
 * The fields of {@link pageSearches}, and the figures of all days together.
 * @param other a further part of the same statement; null: none
 * @throws as ClickHouseReader.read
 */
export async function readPageSearches<Other>(
  reader: ClickHouseReader,
  { connection, path, sync }: PageSearchesAsked,
  other: Part<Other> | null,
) {
  const version = readMarks(sync?.marks).pageQueries?.version ?? null;
  const recent = sync === null ? [] : await readRecentDays(reader, connection);
  const [others, queries, read] = await readTogether(reader, 'search_performance.page', [
    other,
    version === null ? null : pageQueries(connection, { path, version, limit: MOST_QUERIES }),
    recent.length === 0 ? null : pageDays(connection, { path, days: recent }),
  ]);
  const days = ofLastReads(read, recent);
  return {
    other: others,
    fields: {
      top_queries: queries.map(({ query, ...figures }) => ({ query, ...toSearchFigures(figures) })),
      daily: days.map(({ day, ...figures }) => ({ day, ...toSearchFigures(figures) })),
    },
    total: sumOfDays(days),
  };
}

/** The position is weighted by impressions. */
function sumOfDays(days: readonly SearchFigures[]): SearchFigures {
  const { impressions, clicks, weighted } = sumsOf(
    ['impressions', 'clicks', 'weighted'],
    days.map((one) => ({ ...one, weighted: one.position * one.impressions })),
  );
  return { impressions, clicks, position: impressions === 0 ? 0 : weighted / impressions };
}

export interface SearchQueriesInput {
  /** null: the website has no search-performance source. */
  readonly connection: SearchConnection | null;
  readonly path: string;
}

/** Search queries of people who were shown a page (spec §4.5). */
export const searchQueries = standaloneAnswer({
  schema: z.object({
    sc_connected: scConnected,
    available: z.boolean().openapi({ description: 'false: see reason; then both lists are null.' }),
    reason: searchReason,
    path: loggedPath,
    ...pageSearches,
    queries_synced_at: moment(
      'Time at which the queries were read; null: never, or the source reports none.',
    ),
  }),
  async read(reader, _asked, { connection, path }: SearchQueriesInput) {
    const sync = connection === null ? null : await readSourceSync(reader, connection);
    const none = { path, top_queries: null, daily: null, queries_synced_at: null };
    if (connection === null)
      return { sc_connected: false, available: false, reason: 'sc_not_connected' as const, ...none };
    if (sync === null || sync.dataThrough === null)
      return { sc_connected: true, available: false, reason: 'not_synced_yet' as const, ...none };
    return {
      ...{ sc_connected: true, available: true, reason: null, path },
      ...(await readPageSearches(reader, { connection, path, sync }, null)).fields,
      queries_synced_at: toMoment(readMarks(sync.marks).pageQueries?.version ?? null),
    };
  },
});
