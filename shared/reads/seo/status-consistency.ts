import { z } from '@hono/zod-openapi';
import { answer } from '../answer/answer.js';
import { count, fieldsOf, loggedPath, percentOf, twoDigits } from '../answer/figures.js';
import { instant, toInstant } from '../answer/instant.js';
import { datedWindow, dateWindow } from '../answer/windows.js';
import { countedFields, readCountedCrawlers, toCountedFields } from '../bots/counted-crawlers.js';
import type { CrawlerInput } from '../bots/crawler-scope.js';
import { crawlerPaths } from '../sql/read-tables.js';
import {
  HALF_LIFE_DAYS,
  impactWeights,
  readStatusPages,
  readStatusSummary,
  STEADY_DISCOUNT,
  type StatusPage,
  severityRules,
} from './status-consistency-sql.js';

/**
 * 304 has a class of its own, which agrees with 2xx. So has what is in none: no status, as when the client left first, or one outside
 * 200-599.
 */
const judgedClasses = ['2xx', '304', '3xx', '4xx', '5xx', 'other'] as const;
const judgedClass = z.enum(judgedClasses);

/** The rule of the list's order, for the API document. */
export const IMPACT_TEXT = `log2(1 + requests) × (${impactWeights.status_5xx} × 5xx + ${impactWeights.status_4xx} × 4xx + ${impactWeights.other} × other + ${impactWeights.status_3xx} × 3xx) / requests × 0.5^(days since last_non_2xx / ${HALF_LIFE_DAYS}) × (1 − ${STEADY_DISCOUNT} × share of the most common class except 2xx, because a constant status may be intended)`;

const asPercent = (share: number) => `${share * 100} %`;
const { critical5xx, criticalErrors, warning } = severityRules;

const page = z
  .object({
    path: loggedPath,
    total_requests: count('Requests of the crawlers that crawl_basis names.'),
    status_2xx: count('Requests answered 2xx.'),
    status_3xx: count('Requests answered 3xx, 304 included.'),
    not_modified: count(
      'Requests answered 304, among status_3xx. The copy that the crawler has is still valid, so the percentages below do not count 304 against the page.',
    ),
    status_4xx: count('Requests answered 4xx.'),
    status_5xx: count('Requests answered 5xx.'),
    status_other: count(
      'Requests without a status of 200-599, for example because the client left before the response.',
    ),
    statuses: z.record(z.string(), z.int()).openapi({
      description: 'Requests by status, with 304 separate; statuses without requests are absent.',
      example: { 200: 40, 503: 4 },
    }),
    status_classes: z.array(judgedClass).openapi({
      description: 'The classes that occurred. 304 is apart from the other 3xx.',
    }),
    dominant_class: judgedClass.openapi({
      description:
        'The class of most requests; of two with as many the better one. 2xx and 304 count together, and the one with more requests is named.',
    }),
    consistency_pct: z.number().openapi({
      description: 'Percent of the requests answered with dominant_class, 2xx and 304 together.',
    }),
    non_2xx_pct: z
      .number()
      .openapi({ description: 'Percent of the requests answered with neither 2xx nor 304.' }),
    impact_score: z.number().openapi({ description: `What orders the list: ${IMPACT_TEXT}.` }),
    last_non_2xx: instant.openapi({
      description: 'Last request inside the window that was answered with neither 2xx nor 304.',
    }),
  })
  .openapi('InconsistentPage');

export interface StatusConsistencyInput extends CrawlerInput {
  readonly min_requests: number;
  readonly limit: number;
}

export const statusConsistency = answer({
  schema: z.object({
    ...datedWindow,
    ...countedFields,
    min_requests: z.int().openapi({ description: 'Minimum requests of a checked page.' }),
    summary: z
      .object({
        total_pages_checked: count('Paths with min_requests and more, listed or not.'),
        total_inconsistent: count(
          'Of these, paths that answered with more than one class, 2xx and 304 taken for one.',
        ),
        critical: count(
          `Checked paths with at least ${asPercent(critical5xx)} of the requests answered 5xx, or at least ${asPercent(criticalErrors)} answered neither 2xx nor 3xx.`,
        ),
        unsteady: count(
          'Critical paths, except pages that always were answered 404 or 410, like removed pages.',
        ),
        warning: count(
          `Other checked paths with at least ${asPercent(warning)} of the requests not answered 2xx.`,
        ),
        healthy: count('The remaining checked paths.'),
        total_not_always_2xx: count(
          'Of the checked, paths that were ever answered anything but 2xx or 304: all that the list could have, before `limit`.',
        ),
      })
      .openapi({ description: 'Over all pages checked. A 304 is never counted against a page.' }),
    pages: z.array(page).openapi({
      description: 'Paths that were not always answered 2xx or 304, the one to mend first at the top.',
    }),
  }),
  from: [[crawlerPaths]],
  async read(reader, scope, input: StatusConsistencyInput) {
    const { min_requests, limit } = input;
    const question = { from: [crawlerPaths], minRequests: min_requests, limit } as const;
    const [dated, counted] = await Promise.all([
      dateWindow(reader, scope),
      readCountedCrawlers(reader, scope, input),
    ]);
    const [summary, pages] = await Promise.all([
      readStatusSummary(reader, counted.scope, question),
      readStatusPages(reader, counted.scope, question),
    ]);
    return {
      ...dated.fields,
      ...toCountedFields(counted),
      min_requests,
      summary: {
        total_pages_checked: summary.checked,
        total_inconsistent: summary.inconsistent,
        critical: summary.critical,
        unsteady: summary.unsteady,
        warning: summary.warning,
        healthy: summary.checked - summary.critical - summary.warning,
        total_not_always_2xx: summary.faulty,
      },
      pages: pages.map(toPage),
    };
  },
});

function toPage(row: StatusPage): z.input<typeof page> {
  const { requests, status_2xx, status_3xx, status_4xx, status_5xx } = row;
  const other = requests - status_2xx - status_3xx - status_4xx - status_5xx;
  const notModified = row.status_requests[row.statuses.indexOf(304)] ?? 0;
  const counts = [status_2xx - notModified, notModified, status_3xx, status_4xx, status_5xx, other];
  const faults = counts.slice(2);
  const mostFaults = Math.max(...faults);
  const isGood = status_2xx >= mostFaults;
  const most = isGood ? status_2xx : mostFaults;
  const dominant = isGood ? Number(2 * notModified > status_2xx) : 2 + faults.indexOf(mostFaults);
  return fieldsOf(page, {
    ...row,
    total_requests: requests,
    status_2xx: status_2xx - notModified,
    status_3xx: status_3xx + notModified,
    not_modified: notModified,
    status_other: other,
    statuses: Object.fromEntries(row.statuses.map((status, index) => [status, row.status_requests[index]!])),
    status_classes: judgedClasses.filter((_, index) => counts[index]! > 0),
    dominant_class: judgedClasses[dominant]!,
    consistency_pct: percentOf(most, requests),
    non_2xx_pct: percentOf(requests - status_2xx, requests),
    impact_score: twoDigits(row.impact),
    last_non_2xx: toInstant(row.last_non_2xx),
  });
}
