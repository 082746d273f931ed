import { z } from '@hono/zod-openapi';
import type { ClickHouseReader } from '../../store/client.js';
import { count, nullsOf } from '../answer/figures.js';
import { basesFields, readCrawlBases } from '../bots/counted-crawlers.js';
import { basisText } from '../bots/crawl-basis.js';
import { type CrawlBasis, verificationsOf } from '../bots/crawl-basis-sql.js';
import type { SearchConnection } from '../search/search-connection.js';
import { readRecentPages } from '../search/search-performance-sql.js';
import { oneOf } from '../sql/filters.js';
import { crawlerPaths } from '../sql/read-tables.js';
import type { Scope } from '../sql/scope.js';
import { selectList } from '../sql/select.js';
import { readByTexts } from '../sql/text-batches.js';
import { aiClaims } from './ai-claims.js';

/** Pages that appear in a search engine but that no AI search or answer bot fetched (spec §4.4). */

/** Pages of the source that are compared with the logs, most impressions first. */
export const MAX_CHECKED = 1_000;

const REASON = 'sc_not_connected';

export const discovery = z.object({
  sc_connected: z
    .boolean()
    .openapi({ description: 'Whether a search-performance source is connected to the website.' }),
  reason: z
    .enum([REASON])
    .nullable()
    .openapi({ description: 'Why the figures are null; null if they are present.' }),
  crawl_basis: basesFields.ai_basis.nullable().openapi({
    description: `The requests of AI crawlers that count as fetches. ${basisText('window')} null without a source.`,
  }),
  min_impressions: count('Minimum impressions of a page in the last 28 days.'),
  checked: count(
    `Pages of the source with at least min_impressions, at most ${MAX_CHECKED}; null without a source.`,
  ).nullable(),
  never_fetched: count(
    'Checked pages that no AI search or answer bot fetched; null without a source.',
  ).nullable(),
  pages: z
    .array(
      z.object({
        path: z.string(),
        impressions_28d: count('Impressions of the last 28 days.'),
        clicks_28d: count('Clicks of the last 28 days.'),
        avg_position: z.number().openapi({ description: 'Mean position in the results, from 1.' }),
        ai_fetches: count('Requests of AI search and answer bots in the window: always 0 for listed pages.'),
      }),
    )
    .nullable()
    .openapi({
      description:
        'Pages that no AI search or answer bot fetched in the window, most impressions first; null without a source.',
    }),
});

/** @param connection null: the website has no search-performance source. */
export async function readDiscovery(
  reader: ClickHouseReader,
  scope: Scope,
  { connection, minImpressions }: { connection: SearchConnection | null; minImpressions: number },
): Promise<z.input<typeof discovery>> {
  if (connection === null) {
    return {
      ...nullsOf(discovery),
      sc_connected: false,
      reason: REASON,
      min_impressions: minImpressions,
    };
  }
  const pages = await readRecentPages(reader, connection, { minImpressions, limit: MAX_CHECKED });
  const { ai: basis } = await readCrawlBases(reader, scope);
  const fetched = await readFetched(
    reader,
    scope,
    pages.map(({ path }) => path),
    basis,
  );
  const missing = pages.filter(({ path }) => !fetched.has(path));
  return {
    sc_connected: true,
    reason: null,
    crawl_basis: basis,
    min_impressions: minImpressions,
    checked: pages.length,
    never_fetched: missing.length,
    pages: missing.map(({ path, impressions, clicks, position }) => ({
      path,
      impressions_28d: impressions,
      clicks_28d: clicks,
      avg_position: position,
      ai_fetches: 0,
    })),
  };
}

async function readFetched(
  reader: ClickHouseReader,
  scope: Scope,
  paths: readonly string[],
  basis: CrawlBasis,
): Promise<ReadonlySet<string>> {
  const rows = await readByTexts(paths, (batch) =>
    selectList(reader, scope, {
      name: 'ai_discovery.fetched',
      from: [crawlerPaths],
      by: ['path'],
      metrics: ['requests'],
      where: [
        aiClaims,
        oneOf('verification', verificationsOf[basis]),
        oneOf('ai_intent', ['search', 'fetcher']),
        oneOf('path', batch),
      ],
    }),
  );
  return new Set(rows.map(({ path }) => path));
}
