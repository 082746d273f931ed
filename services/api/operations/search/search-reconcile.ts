import { z } from '@hono/zod-openapi';
import { HOUR_MS } from '../../../../shared/durations.js';
import { standaloneAnswer } from '../../../../shared/reads/answer/answer.js';
import { count, loggedPath } from '../../../../shared/reads/answer/figures.js';
import { moment } from '../../../../shared/reads/answer/instant.js';
import { BASIS_TEXT, crawlBasis } from '../../../../shared/reads/bots/crawl-basis.js';
import { readCrawlBasis } from '../../../../shared/reads/bots/read-crawl-basis.js';
import type { SearchConnection } from '../../../../shared/reads/search/search-connection.js';
import {
  indexStatus,
  orNull,
  scConnected,
  toIndexStatus,
} from '../../../../shared/reads/search/search-figures.js';
import { toMoment } from '../../../../shared/reads/sitemaps/sitemap-membership.js';
import { withLateVerdicts } from '../../../../shared/reads/sql/late-verdicts.js';
import {
  type ReconcileBucket,
  readReconciled,
  reconcileBuckets,
} from '../index-coverage/index-coverage-sql.js';

const EXAMPLES_CAP = 50;

const texts: Record<ReconcileBucket, string> = {
  indexed_fetched: 'The engine lists them, and crawlers fetched them.',
  indexed_not_fetched: 'The engine lists them, and no crawler fetched them.',
  not_indexed_fetched: 'Crawlers fetched them, and the engine does not list them.',
  fetched_not_inspected: 'Crawlers fetched them; they are not inspected yet.',
  not_indexed_not_fetched: 'The engine does not list them, and no crawler fetched them.',
};

const example = z.object({
  path: loggedPath,
  fetches: count('Fetches by search crawlers in the period; crawl_basis names the requests that count.'),
  last_fetch: moment('Last fetch; null: none.'),
  error_fetches: count('Fetches answered 4xx or 5xx.'),
  index_status: indexStatus,
  index_status_reason: z.string().nullable().openapi({ description: 'Explanation of the engine.' }),
  impressions_28d: count('Impressions in results in the last 28 days of data.'),
  clicks_28d: count('Clicks in the same days.'),
});

type Counts = Record<ReconcileBucket, z.ZodInt>;
type Examples = Record<ReconcileBucket, z.ZodArray<typeof example>>;
const each = <Value>(value: (bucket: ReconcileBucket) => Value) =>
  Object.fromEntries(reconcileBuckets.map((bucket) => [bucket, value(bucket)]));

export interface SearchReconcileInput {
  /** null: the website has no connection. */
  readonly connection: SearchConnection | null;
  readonly hours: number;
}

/** Compares the logs with the engine's index, page by page (spec §4.5). */
export const searchReconcile = standaloneAnswer({
  schema: z.object({
    sc_connected: scConnected,
    period_hours: z
      .int()
      .openapi({ description: 'Requested period; its start is extended to the whole UTC day.' }),
    counts: z
      .object(each((bucket) => count(texts[bucket])) as Counts)
      .nullable()
      .openapi({ description: 'Pages per bucket; null without a source.' }),
    crawl_basis: crawlBasis.nullable().openapi({ description: `${BASIS_TEXT} null without a source.` }),
    inspected_paths: z.int().nullable().openapi({ description: 'Inspected pages.' }),
    fetched_paths: z.int().nullable().openapi({ description: 'Pages that crawlers fetched.' }),
    buckets: z
      .object(each((bucket) => z.array(example).openapi({ description: texts[bucket] })) as Examples)
      .nullable()
      .openapi({ description: 'First pages of each bucket, by impressions, then fetches.' }),
    examples_cap: z.int().openapi({ description: 'Maximum number of examples per bucket.' }),
    data_buffering: z.boolean().openapi({ description: 'Always false: daily counts answer this call.' }),
  }),
  async read(reader, { now }, { connection, hours }: SearchReconcileInput) {
    const about = { period_hours: hours, examples_cap: EXAMPLES_CAP, data_buffering: false };
    if (connection === null)
      return {
        ...{ sc_connected: false, ...about, counts: null, inspected_paths: null },
        ...{ fetched_paths: null, buckets: null, crawl_basis: null },
      };
    const basis = await readCrawlBasis(reader, connection.websiteId, now);
    const question = {
      ...(await withLateVerdicts(reader, { websiteId: connection.websiteId })),
      ...{ source: connection, now, basis, crawledSince: now - hours * HOUR_MS, listedSince: null },
    };
    const found = await readReconciled(reader, question, EXAMPLES_CAP);
    const rowsOf = (wanted: ReconcileBucket) =>
      found.pages
        .filter(({ bucket }) => bucket === wanted)
        .map((page) => ({
          path: page.path,
          fetches: page.fetches,
          last_fetch: toMoment(page.last_fetch_ms || null),
          error_fetches: page.error_fetches,
          index_status: toIndexStatus(page.inspected_ms === 0 ? null : page),
          index_status_reason: orNull(page.coverage_state),
          impressions_28d: page.impressions,
          clicks_28d: page.clicks,
        }));
    return {
      sc_connected: true,
      ...about,
      counts: each((bucket) => found.counts.get(bucket) ?? 0) as Record<ReconcileBucket, number>,
      crawl_basis: basis,
      inspected_paths: found.inspected,
      fetched_paths: found.fetched,
      buckets: each(rowsOf) as Record<ReconcileBucket, ReturnType<typeof rowsOf>>,
    };
  },
});
