import { z } from '@hono/zod-openapi';
import { verificationStatuses } from '../../requests/enriched-request.js';
import type { ClickHouseReader } from '../../store/client.js';
import { answer } from '../answer/answer.js';
import { botVerdict, toBotVerdict } from '../answer/bot-verdict.js';
import { count, sentPath, sentQuery } from '../answer/figures.js';
import { instant, toInstant } from '../answer/instant.js';
import { type PageInput, pagingFields, rowsFromNearerEnd, toPaging } from '../answer/paging.js';
import { datedWindow, dateWindow } from '../answer/windows.js';
import { type CrawlerInput, claimedCrawlers, crawlers } from '../bots/crawler-scope.js';
import { bots, crawlerPaths } from '../sql/read-tables.js';
import type { Scope } from '../sql/scope.js';
import { select } from '../sql/select.js';
import { type CrawlerRequestRow, readCrawlerRequests } from './crawler-requests-sql.js';

export const crawlerRequestFilters = [
  'all',
  'verified',
  'unverified',
  '2xx',
  '3xx',
  '4xx',
  '5xx',
  'slowest',
] as const;

const crawlerRequest = z
  .object({
    timestamp: instant,
    path: sentPath,
    query: sentQuery,
    status: z.int(),
    method: z.string(),
    client_ip: z
      .string()
      .openapi({ example: '66.249.66.1', description: 'Empty if it is no longer stored.' }),
    user_agent: z.string(),
    bot_name: z.string(),
    ...botVerdict,
    time_taken_ms: z.int().nullable(),
  })
  .openapi('CrawlerRequest');

export interface CrawlerRequestsInput extends CrawlerInput, PageInput {
  readonly filter_type: (typeof crawlerRequestFilters)[number];
}

export const crawlerRequests = answer({
  schema: z.object({
    ...datedWindow,
    filter: z.enum(crawlerRequestFilters),
    items: z.array(crawlerRequest),
    total_count: count('Requests on all pages.'),
    ...pagingFields,
    has_next: z.boolean(),
    has_prev: z.boolean(),
  }),
  from: [[bots, crawlerPaths]],
  async read(reader, scope, input: CrawlerRequestsInput) {
    const { filter_type } = input;
    const narrowed = filtered(scope, input);
    const slowestFirst = filter_type === 'slowest';
    const [dated, total] = await Promise.all([
      dateWindow(reader, scope),
      countRequests(reader, narrowed, slowestFirst),
    ]);
    const wanted = rowsFromNearerEnd(input, total);
    const rows = await readCrawlerRequests(reader, { scope: narrowed, slowestFirst, ...wanted });
    const paging = toPaging(input, total);
    return {
      ...dated.fields,
      filter: filter_type,
      items: rows.map(toItem),
      total_count: total,
      ...paging,
      has_next: paging.page < paging.total_pages,
      has_prev: paging.page > 1,
    };
  },
});

/** Unproved requests, including proven impostors, which only this answer lists. */
const unproved = verificationStatuses.filter((status) => status !== 'verified');

function filtered(scope: Scope, input: CrawlerRequestsInput): Scope {
  const { filter_type: type } = input;
  if (type === 'verified') return claimedCrawlers(scope, input, { verifications: ['verified'] });
  if (type === 'unverified') return claimedCrawlers(scope, input, { verifications: unproved });
  if (type === 'all' || type === 'slowest') return crawlers(scope, input);
  return crawlers(scope, input, { statusClass: Number(type[0]) });
}

/** Counts from rollups; only the partial hours of a window need the requests. */
async function countRequests(reader: ClickHouseReader, scope: Scope, timedAlone: boolean): Promise<number> {
  const { total } = await select(reader, scope, {
    name: 'crawler_requests.total',
    from: [bots, crawlerPaths],
    lists: { total: { by: [] } },
    metrics: ['requests', 'timed_requests'],
  });
  return timedAlone ? total[0]!.timed_requests : total[0]!.requests;
}

function toItem({
  timestamp_ms,
  verification,
  bot_family: _,
  ...columns
}: CrawlerRequestRow): z.input<typeof crawlerRequest> {
  return { timestamp: toInstant(timestamp_ms), ...columns, ...toBotVerdict(verification) };
}
