import { z } from '@hono/zod-openapi';
import { answer } from '../../../../shared/reads/answer/answer.js';
import { botVerdict, toBotVerdict } from '../../../../shared/reads/answer/bot-verdict.js';
import { count, sentQuery } from '../../../../shared/reads/answer/figures.js';
import { instant, toInstant } from '../../../../shared/reads/answer/instant.js';
import {
  type PageInput,
  pagingFields,
  rowsOfPage,
  toPaging,
} from '../../../../shared/reads/answer/paging.js';
import { datedWindow, dateWindow } from '../../../../shared/reads/answer/windows.js';
import { proofCounts, toProofCounts } from '../../../../shared/reads/bots/crawl-basis.js';
import { crawlers } from '../../../../shared/reads/bots/crawler-scope.js';
import { readCrawlHistory } from './url-history-sql.js';

const crawlEvent = z
  .object({
    timestamp: instant,
    query: sentQuery,
    bot_name: z.string(),
    ...botVerdict,
    status: z.int(),
    method: z.string(),
    user_agent: z.string(),
    response_time_ms: z.int().nullable().openapi({ description: 'null if the source has none.' }),
    country: z.string().openapi({ description: 'ISO 3166-1 alpha-2; empty if unknown.' }),
  })
  .openapi('CrawlEvent');

export interface UrlHistoryInput extends PageInput {
  /** Exact, as logged. */
  readonly path: string;
  /** Exact, as logged; '': any. */
  readonly query: string;
  /** A crawler's name or family, ignoring case; absent: every search crawler. */
  readonly bot?: string | undefined;
}

export const urlHistory = answer({
  schema: z.object({
    ...datedWindow,
    hours: z.number().openapi({ description: 'Length of the window.' }),
    url_path: z.string().openapi({
      description: 'Text compared with the log: without origin, with the query string if given.',
    }),
    matches: z.enum(['path', 'path_and_query']).openapi({
      description:
        'path: fetches of the path with any query or none. path_and_query: only fetches with the query string of url_path.',
    }),
    total_crawls: count('Fetches in the window, on all pages, without proven impostors.'),
    ...proofCounts('total_crawls'),
    bot_summary: z
      .record(z.string(), z.object({ count: z.int(), ...proofCounts('count'), last_crawled: instant }))
      .openapi({ description: 'Fetches by crawler, on all pages.' }),
    events: z.array(crawlEvent).openapi({ description: 'Newest first.' }),
    ...pagingFields,
  }),
  // Its operation is `raw`: the events are raw rows.
  from: [],
  async read(reader, scope, input: UrlHistoryInput) {
    const { path, query, bot } = input;
    const history = {
      scope: crawlers(scope, { bot, params_filter: 'all' }),
      path,
      query,
      ...rowsOfPage(input),
    };
    const [dated, { bots, events }] = await Promise.all([
      dateWindow(reader, scope),
      readCrawlHistory(reader, history),
    ]);
    const total = bots.reduce((sum, { requests }) => sum + requests, 0);
    const verified = bots.reduce((sum, { verified_requests }) => sum + verified_requests, 0);
    return {
      ...dated.fields,
      hours: dated.fields.window.hours,
      url_path: query === '' ? path : `${path}?${query}`,
      matches: query === '' ? ('path' as const) : ('path_and_query' as const),
      total_crawls: total,
      ...toProofCounts({ requests: total, verified_requests: verified }),
      bot_summary: Object.fromEntries(
        bots.map((bot) => [
          bot.bot_name,
          {
            count: bot.requests,
            ...toProofCounts(bot),
            last_crawled: toInstant(bot.last_seen),
          },
        ]),
      ),
      events: events.map((event) => ({
        timestamp: toInstant(event.timestamp_ms),
        query: event.query,
        bot_name: event.bot_name,
        ...toBotVerdict(event.verification),
        status: event.status,
        method: event.method,
        user_agent: event.user_agent,
        response_time_ms: event.time_taken_ms,
        country: event.country,
      })),
      ...toPaging(input, total),
    };
  },
});
