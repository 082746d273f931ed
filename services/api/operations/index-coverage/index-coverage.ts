import { z } from '@hono/zod-openapi';
import { readSourceSync } from '../../../../shared/connections/source-syncs.js';
import { DAY_MS, HOUR_MS } from '../../../../shared/durations.js';
import { PublicError } from '../../../../shared/errors.js';
import { type Asked, standaloneAnswer } from '../../../../shared/reads/answer/answer.js';
import { count, loggedPath } from '../../../../shared/reads/answer/figures.js';
import { moment } from '../../../../shared/reads/answer/instant.js';
import {
  type PageInput,
  pagingFields,
  rowsOfPage,
  toPaging,
} from '../../../../shared/reads/answer/paging.js';
import { BASIS_TEXT, crawlBasis } from '../../../../shared/reads/bots/crawl-basis.js';
import { readCrawlBasis } from '../../../../shared/reads/bots/read-crawl-basis.js';
import { SEARCH_FETCH_DAYS } from '../../../../shared/reads/bots/search-crawler-fetches.js';
import type { SearchConnection } from '../../../../shared/reads/search/search-connection.js';
import {
  indexStatus,
  orNull,
  scConnected,
  toIndexStatus,
  toPosition,
} from '../../../../shared/reads/search/search-figures.js';
import { listedSince } from '../../../../shared/reads/sitemaps/listed-paths.js';
import {
  sitemapSnapshot,
  toMoment,
  toSitemapSnapshot,
} from '../../../../shared/reads/sitemaps/sitemap-membership.js';
import { readSitemapState, type SitemapState } from '../../../../shared/reads/sitemaps/sitemaps-sql.js';
import { withLateVerdicts } from '../../../../shared/reads/sql/late-verdicts.js';
import type { ClickHouseReader } from '../../../../shared/store/client.js';
import {
  type CoverageBucket,
  type CoverageQuestion,
  coverageBuckets,
  readCoverage,
  readCoverageUrls,
} from './index-coverage-sql.js';

/** Pages of sitemaps, crawls and inspections, by whether crawlers fetched them and whether the engine lists them (spec §4.3). */

const texts: Record<CoverageBucket, string> = {
  crawled_indexed: 'Recently fetched, and indexed by the engine.',
  crawled_not_indexed: 'Recently fetched, not indexed.',
  not_crawled_indexed: 'Not recently fetched, but indexed.',
  not_crawled_not_indexed: 'Neither.',
  pending_inspection: 'Not inspected by the engine yet.',
};

const counts = Object.fromEntries(coverageBuckets.map((bucket) => [bucket, count(texts[bucket])])) as Record<
  CoverageBucket,
  z.ZodInt
>;

const toCounts = (of: ReadonlyMap<CoverageBucket, number>) =>
  Object.fromEntries(of) as Record<CoverageBucket, number>;

export interface CoverageInput {
  /** null: the website has no connection. */
  readonly connection: SearchConnection | null;
  /** A page fetched in these last hours counts as crawled. */
  readonly hours: number;
}

async function questionOf(
  reader: ClickHouseReader,
  { now }: Asked,
  connection: SearchConnection,
  hours: number,
): Promise<{ readonly question: CoverageQuestion; readonly sitemaps: SitemapState | null }> {
  const { websiteId } = connection;
  const [sitemaps, basis, known] = await Promise.all([
    readSitemapState(reader, websiteId),
    readCrawlBasis(reader, websiteId, now),
    withLateVerdicts(reader, { websiteId }),
  ]);
  const recent = now - hours * HOUR_MS;
  const crawledSince = Math.min(recent, now - (SEARCH_FETCH_DAYS - 1) * DAY_MS);
  const question = {
    ...known,
    ...{ source: connection, now, basis, recent, crawledSince },
    listedSince: listedSince(sitemaps),
  };
  return { question, sitemaps };
}

export const indexCoverage = standaloneAnswer({
  schema: z.object({
    sc_connected: scConnected,
    message: z
      .string()
      .nullable()
      .openapi({ description: 'What to do if no source is connected; null if one is.' }),
    property_url: z.string().nullable().openapi({ description: 'Name of the website at the service.' }),
    last_sync_at: moment('Last complete read of the source; null: never.'),
    buckets: z.object(counts).nullable().openapi({ description: 'Pages per bucket; null without a source.' }),
    crawl_basis: crawlBasis.nullable().openapi({ description: `${BASIS_TEXT} null without a source.` }),
    total_urls: z.int().nullable().openapi({ description: 'All pages.' }),
    directories: z
      .array(z.object({ directory: z.string(), ...counts }))
      .nullable()
      .openapi({ description: 'By top-level folder, most pages first; `/` contains pages in no folder.' }),
    total_directories: z.int().nullable().openapi({ description: 'Directories on all pages.' }),
    dir_page: count('Page of the directories, from 1.'),
    dir_page_size: count('Directories per page.'),
    data_freshness: z
      .object({
        data_through: z.iso
          .date()
          .nullable()
          .openapi({ description: 'Last day of impressions and clicks; null: none.' }),
        ...sitemapSnapshot,
      })
      .openapi({ description: 'Age of the source data.' }),
  }),
  async read(reader, scope, { connection, hours, page, page_size }: CoverageInput & PageInput) {
    const paging = { dir_page: page, dir_page_size: page_size };
    if (connection === null) {
      return {
        sc_connected: false,
        message: 'No search-performance source is connected to the website: ask its operator to connect one.',
        ...{ property_url: null, last_sync_at: null, buckets: null, total_urls: null },
        crawl_basis: null,
        ...{ directories: null, total_directories: null, ...paging },
        data_freshness: { data_through: null, ...toSitemapSnapshot(null) },
      };
    }
    const [{ question, sitemaps }, sync] = await Promise.all([
      questionOf(reader, scope, connection, hours),
      readSourceSync(reader, connection),
    ]);
    const found = await readCoverage(reader, question, rowsOfPage({ page, page_size }));
    return {
      ...{ sc_connected: true, message: null, property_url: connection.property },
      last_sync_at: toMoment(sync?.lastSyncAt ?? null),
      buckets: toCounts(found.totals),
      crawl_basis: question.basis,
      total_urls: [...found.totals.values()].reduce((sum, pages) => sum + pages, 0),
      directories: found.directories.map(({ directory, counts: buckets }) => ({
        directory,
        ...toCounts(buckets),
      })),
      total_directories: found.totalDirectories,
      ...paging,
      data_freshness: { data_through: sync?.dataThrough ?? null, ...toSitemapSnapshot(sitemaps) },
    };
  },
});

const coveredUrl = z.object({
  url_path: loggedPath,
  bucket: z.enum(coverageBuckets),
  crawl_count: count(
    `Fetches by search crawlers in the last ${SEARCH_FETCH_DAYS} days, or in \`hours\` if that is longer. crawl_basis names the requests that count.`,
  ),
  last_crawled_at: moment('Last fetch; null: none.'),
  last_crawled_by: z.string().nullable().openapi({ description: 'Its crawler.', example: 'Googlebot' }),
  index_status: indexStatus,
  index_status_reason: z
    .string()
    .nullable()
    .openapi({ description: 'Explanation of the engine.', example: 'Submitted and indexed' }),
  inspection_verdict: z
    .string()
    .nullable()
    .openapi({ description: 'Verdict as the service names it.', example: 'PASS' }),
  inspected_at: moment('Time of the inspection; null: never.'),
  inspected_url: z.string().nullable(),
  engine_canonical: z
    .string()
    .nullable()
    .openapi({ description: 'The canonical URL that the engine chose.' }),
  impressions_28d: count('Impressions in results in the last 28 days of data.'),
  clicks_28d: count('Clicks in the same days.'),
  avg_position: z
    .number()
    .nullable()
    .openapi({ description: 'Mean position in the results; null: not shown.' }),
});

/** Maximum number of pages in an answer of all pages. */
const MOST_URLS = 100_000;

export interface CoverageUrlsInput extends CoverageInput, PageInput {
  readonly bucket: string | null;
  readonly directory: string;
}

/** Its read throws PublicError invalid_request if no source is connected. */
export const indexCoverageUrls = standaloneAnswer({
  schema: z.object({
    urls: z.array(coveredUrl).openapi({ description: 'Most impressions first, then by path.' }),
    ...pagingFields,
    total: z.int().openapi({ description: 'Matching pages.' }),
    bucket_filter: z.string().nullable().openapi({ description: 'Requested bucket; null: all.' }),
    crawl_basis: crawlBasis,
    directory_filter: z.string().openapi({ description: 'Prefix of the paths; / is all.' }),
    sitemap_status: z.object(sitemapSnapshot),
  }),
  async read(reader, scope, { connection, hours, bucket, directory, page, page_size }: CoverageUrlsInput) {
    if (connection === null)
      throw new PublicError('invalid_request', 'No search-performance source is connected to the website.');
    const { question, sitemaps } = await questionOf(reader, scope, connection, hours);
    const paged = page_size === 0 ? { page: 1, page_size: MOST_URLS } : { page, page_size };
    const wanted = { bucket, directory, ...rowsOfPage(paged) };
    const { total, pages } = await readCoverageUrls(reader, question, wanted);
    return {
      urls: pages.map((one) => ({
        url_path: one.path,
        bucket: one.bucket as CoverageBucket,
        crawl_count: one.fetches,
        last_crawled_at: toMoment(one.last_fetch_ms || null),
        last_crawled_by: orNull(one.last_bot),
        index_status: toIndexStatus(one.inspected_ms === 0 ? null : one),
        index_status_reason: orNull(one.coverage_state),
        inspection_verdict: orNull(one.verdict),
        inspected_at: toMoment(one.inspected_ms || null),
        inspected_url: orNull(one.inspected_url),
        engine_canonical: orNull(one.engine_canonical),
        impressions_28d: one.impressions,
        clicks_28d: one.clicks,
        avg_position: toPosition(one.position),
      })),
      ...toPaging(paged, total),
      page: paged.page,
      page_size,
      total,
      bucket_filter: bucket,
      crawl_basis: question.basis,
      directory_filter: directory,
      sitemap_status: toSitemapSnapshot(sitemaps),
    };
  },
});
