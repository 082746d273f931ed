import { z } from '@hono/zod-openapi';
import type { AiDetection } from '../../crawlers/referrers.js';
import type { ClickHouseReader } from '../../store/client.js';
import { answer } from '../answer/answer.js';
import { count, deltaPct, percentOf } from '../answer/figures.js';
import { instant } from '../answer/instant.js';
import { namedSeries } from '../answer/named-series.js';
import { granularityOf } from '../answer/time-buckets.js';
import { answerWindow, compareWindows, datedWindow } from '../answer/windows.js';
import { VISIT_MINUTES } from '../sql/ai-landings.js';
import { type DimensionFilter, equalIgnoringCase } from '../sql/filters.js';
import { aiVisits, paths, volumeTables } from '../sql/read-tables.js';
import type { Scope } from '../sql/scope.js';
import { selectList, selectTotal } from '../sql/select.js';
import { errorPage, landingPage, readPages, withFollowOn } from './ai-landing-pages.js';
import { readLandings, readTopLandings, visitRule, visitsOnly } from './ai-visits.js';
import { FOLLOW_ON_MINUTES } from './follow-on.js';
import { readLandingVisits } from './landing-visits.js';

const uniquePaths = count('Distinct paths that visits came to.');
const previousVisits = count('Visits in the window before.');
const errorLandings = count('Landings on an error (4xx, 5xx), which are no visits.');
const TIME_COLUMN = 'hour';
const point = z
  .object({ [TIME_COLUMN]: instant.openapi({ description: 'Start of the hour or UTC day.' }) })
  .catchall(count('Visits that assistants of the operator sent that the column is named after.'));

export interface AiLandingInput {
  /** Most pages. */
  readonly limit: number;
  /** Only visits that this operator's assistants sent, ignoring case. */
  readonly operator?: string | undefined;
  /** What the enricher tells visits by. */
  readonly detection: Pick<AiDetection, 'referrerHosts' | 'utmSources'>;
}

export const aiLanding = answer({
  schema: z.object({
    ...datedWindow,
    totals: z.object({
      ai_referred_visits: count('Visits that AI assistants sent: the clicks. `detection` has the rule.'),
      error_landings: errorLandings,
      unique_paths: uniquePaths,
      operators: count('Operators whose assistants sent a visit.'),
      humans_total: count('All human requests, assets and reloads included.'),
      human_visits: count(
        'Visits of people to pages, however they came, counted as ai_referred_visits are; exact while few, an estimate with a standard error of 0.1 % for many. null while data_buffering.',
      ).nullable(),
      share_of_human_traffic_pct: z.number().nullable().openapi({
        description:
          'Visits that assistants sent in percent of human_visits: both are visits by the same rule, counted from the single requests. null while data_buffering.',
      }),
      previous: z.object({
        window: answerWindow,
        ai_referred_visits: previousVisits,
        error_landings: count('Landings on an error in the window before.'),
        delta_pct: deltaPct,
      }),
    }),
    by_operator: z
      .array(
        z.object({
          operator: z.string().openapi({ example: 'OpenAI' }),
          visits: count('Visits that its assistants sent. One that two operators sent counts for both.'),
          error_landings: errorLandings,
          unique_paths: uniquePaths,
          top_path: z
            .string()
            .openapi({ description: 'The path that most of them came to; empty where they are of no path.' }),
          previous_visits: previousVisits,
          delta_pct: deltaPct,
        }),
      )
      .openapi({ description: 'Operators with a visit, most visits first.' }),
    error_pages: z.array(errorPage).openapi({
      description: 'Pages that visitors were sent to and got an error from, most landings first.',
    }),
    pages: z.array(landingPage).openapi({ description: 'Most visits first.' }),
    series: z.array(point).openapi({
      description:
        'Visits over time: every hour or day that the window touches, with a column for each operator of by_operator. `hour` is the start of the day where granularity says so.',
    }),
    granularity: z
      .enum(['hour', 'day'])
      .openapi({ description: 'Of series: hours for up to a week, else UTC days.' }),
    detection: z
      .object({
        referrer_hosts: z.array(z.string()).openapi({
          description:
            'Referring hosts, each with its subdomains; with a path, or a parameter of the query, where the host is also something else.',
        }),
        utm_sources: z.array(z.string()).openapi({
          description:
            'Values of utm_source, ignoring case, with utm_campaign where the value is also a search engine; a host of an assistant is one too. ref and source count where their value is no ordinary word.',
        }),
        rule: z.string().openapi({ description: 'What counts as a visit.' }),
        visit_minutes: count('Length of the stretches of the clock in which a client visits a page once.'),
        follow_on_minutes: count('How long after a visit other pages count as opened because of it.'),
      })
      .openapi({ description: 'How visits are recognised and counted.' }),
  }),
  from: [[aiVisits], volumeTables, [paths]],
  async read(reader, scope, { limit, operator, detection }: AiLandingInput) {
    const where = operator === undefined ? [] : [equalIgnoringCase('ai_operator', operator)];
    const granularity = granularityOf(scope.window);
    const [time, { visits, errors }, humans, top, series, pages] = await Promise.all([
      compareWindows(reader, scope),
      readLandings(reader, scope, 'ai_landing.visits', where),
      readHumans(reader, scope),
      readTopLandings(reader, scope, 1, where),
      readSeries(reader, scope, granularity, [visitsOnly, ...where]),
      readPages(reader, scope, limit, where),
    ]);
    const topPath = new Map(top.map((row) => [row.ai_operator, row.path]));
    const errorsOf = new Map(errors.operators.map((row) => [row.ai_operator, row.visits]));
    const operators = visits.operators.filter((row) => row.visits > 0);
    const names = operators.map((row) => row.ai_operator);
    return {
      ...time.windows,
      totals: {
        ai_referred_visits: visits.total.visits,
        error_landings: errors.total.visits,
        unique_paths: visits.total.distinct_path,
        operators: operators.length,
        humans_total: humans,
        human_visits: null,
        share_of_human_traffic_pct: null,
        previous: {
          window: time.previous,
          ai_referred_visits: visits.total.previous_visits,
          error_landings: errors.total.previous_visits,
          delta_pct: time.change.pct(visits.total.visits, visits.total.previous_visits),
        },
      },
      by_operator: operators.map((row) => ({
        operator: row.ai_operator,
        visits: row.visits,
        error_landings: errorsOf.get(row.ai_operator) ?? 0,
        unique_paths: row.distinct_path,
        top_path: topPath.get(row.ai_operator) ?? '',
        previous_visits: row.previous_visits,
        delta_pct: time.change.pct(row.visits, row.previous_visits),
      })),
      ...pages,
      series: namedSeries(
        { window: scope.window, granularity },
        series.map((row) => ({ time: row.time, name: row.ai_operator, count: row.visits })),
        { time: TIME_COLUMN, names },
      ) as z.input<typeof point>[],
      granularity,
      detection: {
        referrer_hosts: [...detection.referrerHosts],
        utm_sources: [...detection.utmSources],
        rule: visitRule,
        visit_minutes: VISIT_MINUTES,
        follow_on_minutes: FOLLOW_ON_MINUTES,
      },
    };
  },
  async complete(reader, scope, { operator }, told) {
    const [pages, { human_visits, ai_visits }] = await Promise.all([
      withFollowOn(reader, scope, told.pages, operator),
      readLandingVisits(reader, scope, operator),
    ]);
    // Both are estimates where there are many.
    const share = percentOf(Math.min(ai_visits, human_visits), human_visits);
    return { ...told, pages, totals: { ...told.totals, human_visits, share_of_human_traffic_pct: share } };
  },
});

async function readHumans(reader: ClickHouseReader, scope: Scope): Promise<number> {
  const total = await selectTotal(reader, scope, {
    name: 'ai_landing.humans',
    from: volumeTables,
    metrics: ['human_requests'],
  });
  return total.human_requests;
}

function readSeries(
  reader: ClickHouseReader,
  scope: Scope,
  granularity: 'hour' | 'day',
  where: readonly DimensionFilter[],
) {
  return selectList(reader, scope, {
    name: 'ai_landing.series',
    from: [aiVisits],
    by: ['ai_operator'],
    overTime: true,
    time: granularity,
    metrics: ['visits'],
    where,
  });
}
