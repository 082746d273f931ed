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
import type { ClickHouseReader } from '../../../../shared/store/client.js';
import {
  type CoverageBucket,
  type CoverageQuestion,
  coverageBuckets,
  readCoverage,
  readCoverageUrls,
} from './index-coverage-sql.js';

/** Pages of sitemaps, crawls and inspections, by whether crawlers fetched them and the engine lists them (spec §4.3). */

const texts: Record<CoverageBucket, string> = {
  crawled_indexed: 'Fetched lately, and listed by the engine.',
  crawled_not_indexed: 'Fetched lately, and not listed.',
  not_crawled_indexed: 'Not fetched lately, and listed.',
  not_crawled_not_indexed: 'Neither.',
  pending_inspection: 'The engine was not asked yet.',
};

const counts = Object.fromEntries(coverageBuckets.map((bucket) => [bucket, count(texts[bucket])])) as Record<
  CoverageBucket,
  z.ZodInt
>;

const toCounts = (of: ReadonlyMap<CoverageBucket, number>) =>
  Object.fromEntries(of) as Record<CoverageBucket, number>;

export interface CoverageInput {
  /** null: the website has none. */
  readonly connection: SearchConnection | null;
  /** A page is crawled where it was fetched in them. */
  readonly hours: number;
}

async function questionOf(
  reader: ClickHouseReader,
  { now }: Asked,
  connection: SearchConnection,
  hours: number,
): Promise<{ readonly question: CoverageQuestion; readonly sitemaps: SitemapState | null }> {
  const { websiteId } = connection;
  const [sitemaps, basis] = await Promise.all([
    readSitemapState(reader, websiteId),
    readCrawlBasis(reader, websiteId, now),
  ]);
  const recent = now - hours * HOUR_MS;
  const crawledSince = Math.min(recent, now - (SEARCH_FETCH_DAYS - 1) * DAY_MS);
  const question = {
    ...{ source: connection, now, basis, recent, crawledSince },
    listedSince: listedSince(sitemaps),
  };
  return { question, sitemaps };
}

export const indexCoverage = standaloneAnswer({
  schema: z.object({
    sc_connected: scConnected,
    message: z.string().nullable().openapi({ description: 'What to do where none is; null where one is.' }),
    property_url: z.string().nullable().openapi({ description: 'How the service calls the website.' }),
    last_sync_at: moment('When the source was last read to its end; null: never.'),
    buckets: z.object(counts).nullable().openapi({ description: 'Pages in each; null without a source.' }),
    crawl_basis: crawlBasis.nullable().openapi({ description: `${BASIS_TEXT} null without a source.` }),
    total_urls: z.int().nullable().openapi({ description: 'Pages in all.' }),
    directories: z
      .array(z.object({ directory: z.string(), ...counts }))
      .nullable()
      .openapi({ description: 'By the folder at the top, most pages first; `/` holds what is in none.' }),
    total_directories: z.int().nullable().openapi({ description: 'On all pages together.' }),
    dir_page: count('The page of the directories, from 1.'),
    dir_page_size: count('Directories on a page.'),
    data_freshness: z
      .object({
        data_through: z.iso
          .date()
          .nullable()
          .openapi({ description: 'The last day of impressions and clicks; null: none.' }),
        ...sitemapSnapshot,
      })
      .openapi({ description: 'How old what it is made of is.' }),
  }),
  async read(reader, asked, { connection, hours, page, page_size }: CoverageInput & PageInput) {
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
      questionOf(reader, asked, connection, hours),
      readSourceSync(reader, connection),
    ]);
    const found = await readCoverage(reader, question, rowsOfPage({ page, page_size }));
    return {
      ...{ sc_connected: true, message: null, property_url: connection.property },
      last_sync_at: toMoment(sync?.lastSyncAt ?? null),
      buckets: toCounts(found.totals),
      crawl_basis: question.basis,
      total_urls: [...found.totals.values()].reduce((sum, pages) => sum + pages, 0),
      directories: found.directories.map(({ directory, counts: own }) => ({ directory, ...toCounts(own) })),
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
    `Fetches by crawlers of search engines, of the requests that crawl_basis names, on the last ${SEARCH_FETCH_DAYS} days, or in \`hours\` where they are longer.`,
  ),
  last_crawled_at: moment('The last of them; null: there was none.'),
  last_crawled_by: z.string().nullable().openapi({ description: 'Its crawler.', example: 'Googlebot' }),
  index_status: indexStatus,
  index_status_reason: z
    .string()
    .nullable()
    .openapi({ description: 'What the engine says to that.', example: 'Submitted and indexed' }),
  inspection_verdict: z
    .string()
    .nullable()
    .openapi({ description: 'As the service names it.', example: 'PASS' }),
  inspected_at: moment('When the engine was asked; null: never.'),
  inspected_url: z.string().nullable(),
  engine_canonical: z
    .string()
    .nullable()
    .openapi({ description: 'The canonical URL that the engine chose.' }),
  impressions_28d: count('Times that it was shown in results on the last 28 days of data.'),
  clicks_28d: count('Times that it was clicked there.'),
  avg_position: z.number().nullable().openapi({ description: 'Mean place in the results; null: not shown.' }),
});

/** Most pages of an answer of all. */
const MOST_URLS = 100_000;

export interface CoverageUrlsInput extends CoverageInput, PageInput {
  readonly bucket: string | null;
  readonly directory: string;
}

/** Reading it throws PublicError invalid_request where no source is connected. */
export const indexCoverageUrls = standaloneAnswer({
  schema: z.object({
    urls: z.array(coveredUrl).openapi({ description: 'Most impressions first, then by path.' }),
    ...pagingFields,
    total: z.int().openapi({ description: 'Pages that match.' }),
    bucket_filter: z
      .string()
      .nullable()
      .openapi({ description: 'The bucket that was asked for; null: all.' }),
    crawl_basis: crawlBasis,
    directory_filter: z.string().openapi({ description: 'How paths begin; / is all.' }),
    sitemap_status: z.object(sitemapSnapshot),
  }),
  async read(reader, asked, { connection, hours, bucket, directory, page, page_size }: CoverageUrlsInput) {
    if (connection === null)
      throw new PublicError('invalid_request', 'No search-performance source is connected to the website.');
    const { question, sitemaps } = await questionOf(reader, asked, connection, hours);
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
