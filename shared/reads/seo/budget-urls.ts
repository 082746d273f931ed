import { z } from '@hono/zod-openapi';
import { answer } from '../answer/answer.js';
import { count, loggedPath, percentOf } from '../answer/figures.js';
import { type PageInput, pagingFields, rowsOfPage, toPaging } from '../answer/paging.js';
import { datedWindow, dateWindow } from '../answer/windows.js';
import { proofCounts, toProofCounts } from '../bots/crawl-basis.js';
import { type CrawlerInput, crawlers, DAYS_TEXT, daysOf, perDay } from '../bots/crawler-scope.js';
import { beginningWith } from '../sql/filters.js';
import { crawlerPaths } from '../sql/read-tables.js';
import { selectList, selectTotal } from '../sql/select.js';

const budgetUrl = z
  .object({
    path: loggedPath,
    requests: count('Requests of the crawlers, except proven impostors.'),
    ...proofCounts('requests'),
    percentage: z.number().openapi({ description: 'Percentage of total_requests.' }),
    daily_avg: z.number().openapi({ description: `Requests per day. ${DAYS_TEXT}` }),
  })
  .openapi('BudgetUrl');

export interface BudgetUrlsInput extends CrawlerInput, PageInput {
  /** Begins and ends with a slash. */
  readonly directory: string;
}

export const budgetUrls = answer({
  schema: z.object({
    ...datedWindow,
    directory: z.string().openapi({ description: 'The counted directory, with a final slash.' }),
    total_requests: count('Requests of the crawlers below the directory, on all pages of the list.'),
    ...proofCounts('total_requests'),
    urls: z.array(budgetUrl),
    total: count('Exact number of distinct paths below the directory.'),
    ...pagingFields,
  }),
  from: [[crawlerPaths]],
  async read(reader, scope, input: BudgetUrlsInput) {
    const { directory } = input;
    const narrowed = crawlers(scope, input);
    // Every path begins with the top directory, except `*`, which is in no directory.
    const where = [beginningWith('path', directory)];
    const [dated, totals, urls] = await Promise.all([
      dateWindow(reader, scope),
      selectTotal(reader, narrowed, {
        name: 'budget_urls.totals',
        from: [crawlerPaths],
        metrics: ['requests', 'verified_requests'],
        distinct: ['path'],
        where,
      }),
      // Most requests first, then by path.
      selectList(reader, narrowed, {
        name: 'budget_urls.page',
        from: [crawlerPaths],
        by: ['path'],
        ...rowsOfPage(input),
        metrics: ['requests', 'verified_requests'],
        where,
      }),
    ]);
    const days = daysOf(scope.window, dated.since);
    return {
      ...dated.fields,
      directory,
      total_requests: totals.requests,
      ...toProofCounts(totals),
      urls: urls.map((row) => ({
        path: row.path,
        requests: row.requests,
        ...toProofCounts(row),
        percentage: percentOf(row.requests, totals.requests),
        daily_avg: perDay(row.requests, days),
      })),
      total: totals.distinct_path,
      ...toPaging(input, totals.distinct_path),
    };
  },
});
