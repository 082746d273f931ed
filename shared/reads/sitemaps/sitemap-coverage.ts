import { z } from '@hono/zod-openapi';
import { sitemapProblemText } from '../../sitemaps/problem-text.js';
import { sitemapErrorTexts } from '../../sitemaps/sitemap-error.js';
import { incompleteReasons } from '../../sitemaps/walk-tally.js';
import { standaloneAnswer } from '../answer/answer.js';
import { count, loggedPath } from '../answer/figures.js';
import { instant, toInstant } from '../answer/instant.js';
import { openPagingFields, type PageInput, rowsOfPage, toPaging } from '../answer/paging.js';
import { crawlBasis } from '../bots/crawl-basis.js';
import { readCrawlBasis } from '../bots/read-crawl-basis.js';
import { SEARCH_FETCH_DAYS } from '../bots/search-crawler-fetches.js';
import { readUnprovedFetches, type UnprovedFetches } from '../bots/unproved-fetches.js';
import { withLateVerdicts } from '../sql/late-verdicts.js';
import { listedSince } from './listed-paths.js';
import {
  type CoverageQuestion,
  type CoverageRow,
  type CoverageSort,
  type CoverageStatus,
  MOST_OTHER_QUERIES,
  readCoverage,
  readCoverageTotals,
  STALE_DAYS,
} from './sitemap-coverage-sql.js';
import { readListingState, type SitemapState } from './sitemaps-sql.js';

/** Listed pages compared with the fetches of search crawlers. It has no window: the fetches of SEARCH_FETCH_DAYS count. */

const coveredUrl = z
  .object({
    url: z.string().openapi({
      description:
        'As in the sitemap; for a page that no sitemap lists, the website’s domain, the path and the query.',
    }),
    path: loggedPath,
    query: z.string().openapi({
      description:
        'Without `?`; empty if there is none. URLs with different queries are different, and only requests with the same query count.',
    }),
    status: z.enum(['crawled', 'not_crawled']).openapi({
      description: `Whether a search crawler fetched it in the last ${SEARCH_FETCH_DAYS} days, by the requests that crawl_basis names.`,
    }),
    in_sitemap: z.boolean(),
    last_crawl_date: instant.nullable().openapi({ description: 'null: not crawled.' }),
    last_crawled_by: z.string().nullable().openapi({ description: 'Crawler of the last fetch.' }),
    crawl_count: count(`Fetches by search crawlers in the last ${SEARCH_FETCH_DAYS} days.`),
    unproved_crawl_count: count(
      `Unproved fetches of the path in the same days, with any query, that claim to be of search crawlers. The other figures include them only if crawl_basis is unproved.`,
    ),
    last_unproved_crawl_date: instant
      .nullable()
      .openapi({ description: 'Time of the last unproved fetch; null: none.' }),
    content_type: z.string().nullable().openapi({
      description: 'File type of the last fetch; null: not crawled.',
      example: 'html',
    }),
    response_code: z
      .int()
      .nullable()
      .openapi({ description: 'Status of the last fetch; null: not crawled.' }),
    first_seen: instant.nullable().openapi({
      description: 'Time at which a sitemap first listed it; null: not listed.',
    }),
    lastmod: instant.nullable().openapi({ description: 'As in the sitemap; null if it has none.' }),
    sitemap: z.string().nullable().openapi({ description: 'Sitemap that lists it; null: none.' }),
  })
  .openapi('CoveredUrl');

const total = (what: string) =>
  z
    .int()
    .nullable()
    .openapi({ description: `${what} null if unknown: see reason.` });

const problem = z.object({
  sitemap: z.string().openapi({ description: 'Its address.' }),
  problem: z.string().openapi({
    description: `Error code: http_ and the status; for the connection invalid_url, blocked_address, dns, refused, unreachable, tls, timeout, too_many_redirects, bad_encoding or broken; for the file ${Object.keys(sitemapErrorTexts).join(', ')}.`,
    example: 'http_404',
  }),
  message: z.string().openapi({ description: 'The meaning of the code, as a sentence.' }),
});

const reasons = [
  'not_fetched_yet',
  'fetching_is_off',
  'no_sitemap',
  'not_read_yet',
  'not_read_completely',
] as const;
type Reason = (typeof reasons)[number];

const coverageSchema = z.object({
  available: z.boolean().openapi({ description: 'false: see reason; then there is no list.' }),
  reason: z.enum(reasons).nullable().openapi({
    description:
      'Why there is no list; null if there is one. not_fetched_yet: the sitemaps of a new website are fetched within minutes. fetching_is_off: this installation does not fetch from websites, and its operator has not added a sitemap of this one. no_sitemap: robots.txt names none, and none is in the usual places. not_read_yet: no sitemap could be read; see snapshot.problems. not_read_completely (only for the status not_in_sitemap): no fetch has read all sitemaps to the end, so unlisted pages are unknown.',
  }),
  crawl_basis: crawlBasis,
  snapshot: z
    .object({
      fetch_complete: z.boolean().openapi({
        description:
          'Whether the last fetch read every file to the end. An incomplete fetch adds pages and removes none.',
      }),
      incomplete_reason: z.enum(incompleteReasons).nullable().openapi({
        description:
          'Why it was incomplete; null if it was complete. robots_unknown: robots.txt, which names the sitemaps, could not be read. no_sitemap: robots.txt names none, and none is in the usual places. files_failed: see problems. too_many_files: there are more files than are read. too_many_urls: there are more URLs than the organisation’s plan allows for a website; the rest is not listed here.',
      }),
      last_successful_fetch_at: instant
        .nullable()
        .openapi({ description: 'Time of the last complete fetch.' }),
      last_checked_at: instant,
      files: count('Sitemap files and indexes that were read.'),
      failed_files: count('Files that could not be read completely.'),
      foreign_urls: count('URLs of other hosts, which are excluded.'),
      invalid_urls: count('Entries that are not an absolute http or https URL of at most 2,048 characters.'),
      problems: z.array(problem).openapi({ description: 'The first files that failed, with the reasons.' }),
    })
    .nullable()
    .openapi({ description: 'null: never fetched.' }),
  totals: z.object({
    all: total('Pages that sitemaps list.'),
    never_crawled: total('Listed pages that no search crawler fetched.'),
    recently_crawled: total(`Listed pages fetched in the last ${STALE_DAYS} days.`),
    stale: total(`Listed pages that were fetched, but not in the last ${STALE_DAYS} days.`),
    not_in_sitemap: total(
      `Pages that search crawlers were served (2xx or 304, of the types that page-importance counts) and that no sitemap lists. Each unlisted query of a listed path is such a page; at least the newest ${MOST_OTHER_QUERIES} fetches of these are read. A path without any listed URL is one page for all queries.`,
    ),
  }),
  crawl_days: z.int().openapi({ description: 'Counted days of crawls: whole UTC days, including today.' }),
  urls: z.array(coveredUrl).nullable().openapi({ description: 'null if available is false.' }),
  ...openPagingFields,
  total: total('Pages of the requested status.'),
});
type Coverage = z.input<typeof coverageSchema>;

export interface SitemapCoverageInput extends PageInput {
  /** Domain of the website. */
  readonly domain: string;
  /** Whether this installation fetches from websites. */
  readonly fetchesWebsites: boolean;
  readonly status: CoverageStatus;
  readonly sort: CoverageSort;
  readonly descending: boolean;
}

export const sitemapCoverage = standaloneAnswer({
  schema: coverageSchema,
  async read(reader, { websiteId, now }, input: SitemapCoverageInput) {
    const { domain, status, sort, descending } = input;
    const [state, basis] = await Promise.all([
      readListingState(reader, websiteId),
      readCrawlBasis(reader, websiteId, now),
    ]);
    const answered = { crawl_basis: basis, snapshot: toSnapshot(state), crawl_days: SEARCH_FETCH_DAYS };
    const since = listedSince(state);
    const noList = { urls: null, total: null, ...toPaging(input, 0), total_pages: null };
    if (since === null)
      return { available: false, reason: unread(state, input), ...answered, totals: UNKNOWN, ...noList };
    const question: CoverageQuestion = {
      ...(await withLateVerdicts(reader, { websiteId })),
      ...{ now, listedSince: since, basis },
      listsQueries: state?.listsQueries ?? false,
    };
    // Only a complete fetch shows which pages are unlisted.
    const isWhole = state?.lastComplete != null;
    const isAnswered = isWhole || status !== 'not_in_sitemap';
    const { rows, totals: counted } = isAnswered
      ? await readCoverage(reader, question, { status, sort, descending, ...rowsOfPage(input) })
      : { rows: [], totals: await readCoverageTotals(reader, question) };
    const totals = isWhole ? counted : { ...counted, not_in_sitemap: null };
    if (!isAnswered)
      return { available: false, reason: 'not_read_completely' as const, ...answered, totals, ...noList };
    const paths = rows.map(({ path }) => path);
    const unproved = await readUnprovedFetches(reader, question, paths);
    return {
      available: true,
      reason: null,
      ...answered,
      totals,
      urls: rows.map((row) => toCoveredUrl(row, unproved.get(row.path), domain)),
      ...toPaging(input, counted[status]),
      total: counted[status],
    };
  },
});

/** Why no sitemap was read yet. */
function unread(state: SitemapState | null, { fetchesWebsites }: SitemapCoverageInput): Reason {
  // Sitemaps added by the operator count as a fetch, even if this installation does not fetch.
  if (state === null) return fetchesWebsites ? 'not_fetched_yet' : 'fetching_is_off';
  return state.reason === 'no_sitemap' ? 'no_sitemap' : 'not_read_yet';
}

const UNKNOWN = { all: null, never_crawled: null, recently_crawled: null, stale: null, not_in_sitemap: null };

function toSnapshot(state: SitemapState | null): Coverage['snapshot'] {
  if (state === null) return null;
  return {
    fetch_complete: state.complete,
    incomplete_reason: state.reason as NonNullable<Coverage['snapshot']>['incomplete_reason'],
    last_successful_fetch_at: state.lastComplete === null ? null : toInstant(state.lastComplete),
    last_checked_at: toInstant(state.lastChecked),
    files: state.files,
    failed_files: state.failedFiles,
    foreign_urls: state.foreignUrls,
    invalid_urls: state.invalidUrls,
    problems: state.problems.map(({ sitemap, problem }) => ({
      sitemap,
      problem,
      message: sitemapProblemText(sitemap, problem),
    })),
  };
}

function toCoveredUrl(
  { listed, ...row }: CoverageRow,
  unproved: UnprovedFetches | undefined,
  domain: string,
): NonNullable<Coverage['urls']>[number] {
  const crawled = row.crawls > 0;
  return {
    url: listed?.url ?? `https://${domain}${row.path}${row.query === '' ? '' : `?${row.query}`}`,
    path: row.path,
    query: row.query,
    status: crawled ? 'crawled' : 'not_crawled',
    in_sitemap: listed !== null,
    last_crawl_date: crawled ? toInstant(row.last_crawl_ms) : null,
    last_crawled_by: crawled ? row.bot_name : null,
    crawl_count: row.crawls,
    unproved_crawl_count: unproved?.crawls ?? 0,
    last_unproved_crawl_date: unproved === undefined ? null : toInstant(unproved.lastCrawl),
    content_type: crawled ? row.file_type : null,
    response_code: crawled ? row.response_code : null,
    first_seen: listed === null ? null : toInstant(listed.first_seen_ms),
    lastmod: listed === null || listed.lastmod_ms === 0 ? null : toInstant(listed.lastmod_ms),
    sitemap: listed?.sitemap ?? null,
  };
}
