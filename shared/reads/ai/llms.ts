import { z } from '@hono/zod-openapi';
import { answer } from '../answer/answer.js';
import { aiIntentOrNone } from '../answer/enumeration.js';
import {
  type Comparison,
  changesOf,
  count,
  deltaPct,
  fieldsOf,
  loggedPath,
  percentOf,
  previousRequests,
} from '../answer/figures.js';
import { instant } from '../answer/instant.js';
import { columnNames, namedSeries } from '../answer/named-series.js';
import { granularityOf } from '../answer/time-buckets.js';
import { summariseClaims, verificationSummary } from '../answer/verification-counts.js';
import { answerWindow, comparedWindow, compareWindows } from '../answer/windows.js';
import { PAYMENT_REQUIRED, rejectionStatuses } from '../sql/metrics.js';
import { bots, crawlerPaths, volumeTables } from '../sql/read-tables.js';
import { intentCounts, toIntentCounts } from './ai-claims.js';
import {
  type CrawlerClaims,
  readAllRequests,
  readClaims,
  readPages,
  readSeries,
  readServedPages,
} from './llms-selections.js';

/** Crawlers with their own column in the chart. */
export const MAX_COLUMNS = 20;
const TIME_COLUMN = 'time_bucket';
const REST_COLUMN = 'other';

const figures = z.object({
  total_requests: count('All requests, including humans.'),
  total_ai_requests: count('Requests of bots of AI operators, except proven impostors.'),
  ai_percentage: z.number().openapi({ description: 'AI crawlers’ percentage of all requests.' }),
  unique_crawlers: count('Distinct names of AI crawlers, without names that only impostors used.'),
  unique_pages_crawled: count(
    'Distinct pages (HTML or a similar type, no assets) that were served to an AI crawler, 2xx or 304.',
  ),
  intent_totals: intentCounts('Requests of crawlers'),
  pages_by_intent: intentCounts('Distinct pages that were served to crawlers'),
});

type Figures = z.input<typeof figures>;

const crawler = z
  .object({
    bot_name: z.string().openapi({ example: 'GPTBot' }),
    bot_operator: z.string().openapi({ example: 'OpenAI' }),
    intent: aiIntentOrNone,
    requests: count('Requests, except those of proven impostors.'),
    share_pct: z.number().openapi({ description: 'Percent of total_ai_requests.' }),
    unique_pages: count('Distinct pages that were served to it, 2xx or 304.'),
    verified_count: count('Requests from a verified address of the crawler.'),
    unverified_count: count(
      'All other requests with its name: proven impostors (spoofed_count), operators that publish no way to verify, and pending verifications.',
    ),
    spoofed_count: count('Requests in unverified_count that were proved false; requests excludes them.'),
    verification_status: verificationSummary,
    served_requests: count('Those of requests that were answered 2xx or 3xx.'),
    rejected_requests: count(`Those of requests that were answered ${rejectionStatuses.join(', ')}.`),
    payment_required_requests: count(`Those of requests that were answered ${PAYMENT_REQUIRED}.`),
    other_requests: count('All others of requests: not found, failed, or without an answer.'),
    previous_requests: previousRequests,
    delta_pct: deltaPct,
  })
  .openapi('AiCrawler');

const page = z
  .object({
    path: loggedPath,
    requests: count('Requests of AI crawlers, except proven impostors.'),
    unique_bots: count('Distinct names among them.'),
    status_2xx: count('Requests answered 2xx.'),
    status_3xx: count('Requests answered 3xx; 304 means that the crawler’s copy is current.'),
    status_4xx: count('Requests answered 4xx.'),
    status_5xx: count('Requests answered 5xx.'),
    rejected_requests: count(`Those of status_4xx that were answered ${rejectionStatuses.join(', ')}.`),
    payment_required_requests: count(`Those of status_4xx that were answered ${PAYMENT_REQUIRED}.`),
  })
  .openapi('AiCrawledPage');

const point = z
  .object({ [TIME_COLUMN]: instant, [REST_COLUMN]: count('Requests of crawlers without their own column.') })
  .catchall(count('Requests of the crawler in the column name.'));

const changes = changesOf([
  'total_requests_pct',
  'total_ai_requests_pct',
  'ai_percentage_pp',
  'unique_pages_crawled_pct',
  'training_pct',
  'search_pct',
  'fetcher_pct',
]);

export interface LlmsInput {
  /** Maximum pages. */
  readonly limit: number;
}

export const llms = answer({
  schema: figures.extend({
    ...comparedWindow,
    period_hours: z.number().openapi({ description: 'Length of the window.' }),
    granularity: z
      .enum(['hour', 'day'])
      .openapi({ description: 'Bucket of bot_hourly: hours for up to a week, else UTC days.' }),
    crawlers: z.array(crawler).openapi({
      description: 'Most requests first; a name that only impostors used comes last, with no requests.',
    }),
    bot_hourly: z.array(point).openapi({
      description: `Requests by crawler over time: every hour or day that the window touches, with a column for each of bot_names, and \`${REST_COLUMN}\` for all other crawlers. Those that extend beyond the window, usually the first and the last, count only its requests.`,
    }),
    bot_names: z.array(z.string()).openapi({
      description: `The columns of bot_hourly: the ${MAX_COLUMNS} crawlers with most requests.`,
    }),
    total_pages_requested: count(
      'Distinct pages that AI crawlers requested, with any status; pages has the first `limit` of them.',
    ),
    pages: z.array(page).openapi({
      description: 'Pages that AI crawlers requested, most requests first, with any status.',
    }),
    previous: figures.extend({ window: answerWindow }),
    deltas: changes.schema,
  }),
  from: [volumeTables, [bots], [crawlerPaths]],
  async read(reader, scope, { limit }: LlmsInput) {
    const granularity = granularityOf(scope.window);
    const [time, all, claims, hours, served, pages] = await Promise.all([
      compareWindows(reader, scope),
      readAllRequests(reader, scope),
      readClaims(reader, scope),
      readSeries(reader, scope, granularity),
      readServedPages(reader, scope),
      readPages(reader, scope, limit),
    ]);
    const current = toFigures({
      all: all.requests,
      claims: claims.crawlers.map((row) => row.unspoofed_requests),
      requestsByIntent: toIntentCounts(claims.intents, (row) => row.unspoofed_requests),
      pages: served.total.distinct_path,
      pagesByIntent: toIntentCounts(served.intents, (row) => row.distinct_path),
    });
    const previous = toFigures({
      all: all.previous_requests,
      claims: claims.crawlers.map((row) => row.previous_unspoofed_requests),
      requestsByIntent: toIntentCounts(claims.intents, (row) => row.previous_unspoofed_requests),
      pages: served.total.previous_distinct_path,
      pagesByIntent: toIntentCounts(served.intents, (row) => row.previous_distinct_path),
    });
    const genuine = claims.crawlers.filter((row) => row.unspoofed_requests > 0);
    const impersonated = claims.crawlers.filter(
      (row) => row.unspoofed_requests === 0 && row.spoofed_requests > 0,
    );
    const pagesOf = new Map(served.crawlers.map((row) => [row.bot_name, row.distinct_path]));
    const names = columnNames(
      genuine.map((row) => row.bot_name),
      [TIME_COLUMN, REST_COLUMN],
      MAX_COLUMNS,
    );
    const series = namedSeries(
      { window: scope.window, granularity },
      hours.map((row) => ({ time: row.time, name: row.bot_name, count: row.requests })),
      { time: TIME_COLUMN, names, rest: REST_COLUMN },
    );
    return {
      ...time.windows,
      ...current,
      period_hours: time.windows.window.hours,
      granularity,
      crawlers: [...genuine, ...impersonated].map((row) =>
        toCrawler(row, pagesOf.get(row.bot_name) ?? 0, current.total_ai_requests, time.change),
      ),
      bot_hourly: series as z.input<typeof point>[],
      bot_names: names,
      total_pages_requested: pages.total,
      pages: pages.list.map((row) =>
        fieldsOf(page, {
          ...row,
          unique_bots: row.distinct_bot_name,
          payment_required_requests: row.status_402,
        }),
      ),
      previous: { window: time.previous, ...previous },
      deltas: changes.between(
        { ...current, ...current.intent_totals },
        { ...previous, ...previous.intent_totals },
        time.change,
        () => previous.total_requests,
      ),
    };
  },
});

interface Counts {
  readonly all: number;
  /** Requests of each crawler. */
  readonly claims: readonly number[];
  readonly requestsByIntent: Figures['intent_totals'];
  readonly pages: number;
  readonly pagesByIntent: Figures['pages_by_intent'];
}

function toFigures({ all, claims, requestsByIntent, pages, pagesByIntent }: Counts): Figures {
  const aiRequests = claims.reduce((sum, requests) => sum + requests, 0);
  return {
    total_requests: all,
    total_ai_requests: aiRequests,
    ai_percentage: percentOf(aiRequests, all),
    unique_crawlers: claims.filter((requests) => requests > 0).length,
    unique_pages_crawled: pages,
    intent_totals: requestsByIntent,
    pages_by_intent: pagesByIntent,
  };
}

function toCrawler(
  row: CrawlerClaims,
  uniquePages: number,
  aiRequests: number,
  change: Comparison,
): z.input<typeof crawler> {
  return {
    bot_name: row.bot_name,
    bot_operator: row.latest_bot_operator,
    intent: row.latest_ai_intent,
    requests: row.unspoofed_requests,
    share_pct: percentOf(row.unspoofed_requests, aiRequests),
    unique_pages: uniquePages,
    verified_count: row.verified_requests,
    unverified_count: row.unspoofed_requests - row.verified_requests + row.spoofed_requests,
    spoofed_count: row.spoofed_requests,
    verification_status: summariseClaims(row),
    ...answersOf(row),
    previous_requests: row.previous_unspoofed_requests,
    delta_pct: change.pct(row.unspoofed_requests, row.previous_unspoofed_requests),
  };
}

/** How the requests were answered that are not proven impostors'. */
function answersOf(row: CrawlerClaims) {
  const served = row.served_requests - row.served_spoofed;
  const rejected = row.rejected_requests - row.rejected_spoofed;
  const charged = row.status_402 - row.spoofed_402;
  return {
    served_requests: served,
    rejected_requests: rejected,
    payment_required_requests: charged,
    other_requests: row.unspoofed_requests - served - rejected - charged,
  };
}
