import { z } from '@hono/zod-openapi';
import type { AiDetection } from '../../crawlers/referrers.js';
import type { ClickHouseReader } from '../../store/client.js';
import { answer } from '../answer/answer.js';
import { count, deltaPct, percentOf } from '../answer/figures.js';
import { instant } from '../answer/instant.js';
import { namedSeries } from '../answer/named-series.js';
import { granularityOf } from '../answer/time-buckets.js';
import { answerWindow, comparedWindow, compareWindows } from '../answer/windows.js';
import { VISIT_MINUTES } from '../sql/ai-landings.js';
import { equalIgnoringCase, filtersByVerdict } from '../sql/filters.js';
import { withLateVerdicts } from '../sql/late-verdicts.js';
import { aiVisits, paths, volumeTables } from '../sql/read-tables.js';
import type { Scope } from '../sql/scope.js';
import { selectTotal } from '../sql/select.js';
import { errorPage, landingPage, readPages, withRequests } from './ai-landing-pages.js';
import { visitRule } from './ai-visits.js';
import { readFollowOn } from './follow-on.js';
import { FOLLOW_ON_MINUTES } from './follow-on-rules.js';
import { readHumanVisits } from './human-visits.js';
import { readAllLandings } from './landings.js';

const uniquePaths = count('Distinct paths with a visit.');
const previousVisits = count('Visits in the window before.');
const errorLandings = count('Landings on an error (4xx, 5xx). These are not visits.');
const TIME_COLUMN = 'hour';
const point = z
  .object({ [TIME_COLUMN]: instant.openapi({ description: 'Start of the hour or UTC day.' }) })
  .catchall(count('Visits that assistants of the operator in the column name sent.'));

export interface AiLandingInput {
  /** Maximum pages. */
  readonly limit: number;
  /** Only visits that this operator's assistants sent, ignoring case. */
  readonly operator?: string | undefined;
  /** Hosts and UTM sources by which the enricher recognises visits. */
  readonly detection: Pick<AiDetection, 'referrerHosts' | 'utmSources'>;
}

export const aiLanding = answer({
  schema: z.object({
    ...comparedWindow,
    totals: z.object({
      ai_referred_visits: count('Visits that AI assistants sent. `detection` states the rule.'),
      error_landings: errorLandings,
      unique_paths: uniquePaths,
      operators: count('Operators whose assistants sent a visit.'),
      humans_total: count('All human requests, including assets and reloads.'),
      human_visits: count(
        'Visits of people to pages from any source, counted by the same rule as ai_referred_visits. null while data_buffering.',
      ).nullable(),
      share_of_human_traffic_pct: z.number().nullable().openapi({
        description:
          'Percentage of human_visits that assistants sent. Both are counted from the single requests by the same rule. null while data_buffering.',
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
          visits: count('Visits that its assistants sent. A visit that two operators sent counts for both.'),
          error_landings: errorLandings,
          unique_paths: uniquePaths,
          top_path: z.string().openapi({
            description: 'The path with the most of these visits; empty if no visit has a path.',
          }),
          previous_visits: previousVisits,
          delta_pct: deltaPct,
        }),
      )
      .openapi({ description: 'Operators with a visit, most visits first.' }),
    error_pages: z.array(errorPage).openapi({
      description:
        'Pages that assistants sent visitors to and that answered with an error, most landings first.',
    }),
    pages: z.array(landingPage).openapi({ description: 'Most visits first.' }),
    series: z.array(point).openapi({
      description:
        'Visits over time: every hour or day that the window touches, with a column for each operator of by_operator. Those that extend beyond the window, usually the first and the last, count only its requests. `hour` is the start of the day if granularity is day.',
    }),
    granularity: z
      .enum(['hour', 'day'])
      .openapi({ description: 'Bucket of series: hours for up to a week, else UTC days.' }),
    detection: z
      .object({
        referrer_hosts: z.array(z.string()).openapi({
          description:
            'Referring hosts; each includes its subdomains. A host that also has other uses is listed with a path or a query parameter.',
        }),
        utm_sources: z.array(z.string()).openapi({
          description:
            'Values of utm_source, ignoring case. A value that is also a search engine is listed with utm_campaign. The host of an assistant is also such a value. The parameters ref and source count if their value is not an ordinary word.',
        }),
        rule: z.string().openapi({ description: 'The definition of a visit.' }),
        visit_minutes: count(
          'Length of the clock intervals in which repeated requests of a client for a page are one visit.',
        ),
        follow_on_minutes: count('Time after a visit in which other opened pages count as its consequence.'),
      })
      .openapi({ description: 'How visits are recognised and counted.' }),
  }),
  from: [[aiVisits], volumeTables, [paths]],
  async read(reader, scope, { limit, operator, detection }: AiLandingInput) {
    const where = operator === undefined ? [] : [equalIgnoringCase('ai_operator', operator)];
    const granularity = granularityOf(scope.window);
    const landings = readAllLandings(reader, scope, { granularity, limit, where });
    const [time, { visits, errors, topPaths, series }, humans, pages] = await Promise.all([
      compareWindows(reader, scope),
      landings,
      readHumans(reader, scope),
      landings.then((all) => readPages(reader, scope, all)),
    ]);
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
        top_path: topPaths.get(row.ai_operator) ?? '',
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
  async complete(reader, scope, { operator }, firstHalf) {
    const question = { paths: firstHalf.pages.map(({ path }) => path), operator };
    const known = filtersByVerdict(scope.filters) ? await withLateVerdicts(reader, scope) : scope;
    const [followOn, visits] = await Promise.all([
      readFollowOn(reader, known, question),
      readHumanVisits(reader, known, question),
    ]);
    const { human_visits, ai_visits } = visits.total;
    const share = percentOf(ai_visits, human_visits);
    return {
      ...firstHalf,
      pages: withRequests(firstHalf.pages, { followOn, visits: visits.byPath }),
      totals: { ...firstHalf.totals, human_visits, share_of_human_traffic_pct: share },
    };
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
