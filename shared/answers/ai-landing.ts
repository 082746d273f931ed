import { z } from '@hono/zod-openapi';
import type { ClickHouseReader } from '../clickhouse/client.js';
import type { AiDetection } from '../crawlers/referrers.js';
import { type DimensionFilter, oneOf } from '../queries/filters.js';
import { FOLLOW_ON_MINUTES, MAX_PAGE_VIEWS, readFollowOn } from '../queries/follow-on.js';
import { aiVisits, paths as pathsRollup, traffic } from '../queries/rollups.js';
import type { Scope } from '../queries/scope.js';
import { select } from '../queries/select.js';
import { readByTexts } from '../queries/text-batches.js';
import { readTopLandings } from './ai-visits.js';
import { answer } from './answer.js';
import { count, deltaPct, percentOf } from './figures.js';
import { instant, toInstant } from './instant.js';
import { namedSeries } from './named-series.js';
import { granularityOf } from './time-buckets.js';
import { answerWindow, comparedWindows, compareWindows } from './windows.js';

const visitCount = count('Visits.');
const uniquePaths = count('Distinct paths that visits came to.');
const previousVisits = count('Visits in the window before.');
const later = 'null while the single requests are being read (data_buffering).';

const page = z
  .object({
    path: z.string().openapi({ description: 'As sent, percent-encoded, without the query string.' }),
    visits: visitCount,
    operators: z
      .record(z.string(), count('Visits that its assistants sent.'))
      .openapi({ description: 'Visits by operator.', example: { OpenAI: 12, Perplexity: 3 } }),
    humans_total: count('Human requests of the path, however they came.'),
    ai_share_pct: z.number().openapi({ description: 'Visits in percent of humans_total.' }),
    bounce_proxy_pct: z
      .number()
      .nullable()
      .openapi({
        description: `Percent of the visits after which their address opened no other page within ${FOLLOW_ON_MINUTES} minutes; visits of addresses that open more than ${MAX_PAGE_VIEWS} pages in an hour are left out. null where there is no other visit, and ${later}`,
      }),
    bounced: count(`Those visits; ${later}`).nullable(),
    next_paths: z
      .array(z.object({ path: z.string(), visits: count('Addresses that opened it; each counts once.') }))
      .nullable()
      .openapi({
        description: `The three pages most opened within ${FOLLOW_ON_MINUTES} minutes after a visit, wherever they are; ${later}`,
      }),
    first_seen: instant.openapi({ description: 'First visit inside the window.' }),
    last_seen: instant.openapi({ description: 'Last visit inside the window.' }),
  })
  .openapi('AiLandingPage');

type Page = z.input<typeof page>;

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
  readonly detection: AiDetection;
}

export const aiLanding = answer({
  schema: z.object({
    ...comparedWindows,
    totals: z.object({
      ai_referred_visits: count(
        'Human requests whose referring host or utm_source names an AI assistant: the clicks that it sent.',
      ),
      unique_paths: uniquePaths,
      operators: count('Operators whose assistants sent a visit.'),
      humans_total: count('All human requests, assets included.'),
      share_of_human_traffic_pct: z
        .number()
        .openapi({ description: 'ai_referred_visits in percent of humans_total.' }),
      previous: z.object({
        window: answerWindow,
        ai_referred_visits: previousVisits,
        delta_pct: deltaPct,
      }),
    }),
    by_operator: z
      .array(
        z.object({
          operator: z.string().openapi({ example: 'OpenAI' }),
          visits: visitCount,
          unique_paths: uniquePaths,
          top_path: z
            .string()
            .openapi({ description: 'The path that most of them came to; empty where they are of no path.' }),
          previous_visits: previousVisits,
          delta_pct: deltaPct,
        }),
      )
      .openapi({ description: 'Most visits first.' }),
    pages: z.array(page).openapi({ description: 'Most visits first.' }),
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
            'Referring hosts, each with its subdomains; with a path where the host is also something else.',
        }),
        utm_sources: z.array(z.string()).openapi({ description: 'Values of utm_source, ignoring case.' }),
        follow_on_minutes: count('How long after a visit other pages count as opened because of it.'),
      })
      .openapi({ description: 'What visits are told by.' }),
  }),
  from: [[aiVisits], [traffic], [pathsRollup]],
  async read(reader, scope, { limit, operator, detection }: AiLandingInput) {
    const where = operator === undefined ? [] : [ofOperator(operator)];
    const granularity = granularityOf(scope.window);
    const [time, visits, humans, top, series, landings] = await Promise.all([
      compareWindows(reader, scope),
      readVisits(reader, scope, where),
      readHumans(reader, scope),
      readTopLandings(reader, scope, 1, where),
      readSeries(reader, scope, granularity, where),
      readLandings(reader, scope, limit, where),
    ]);
    const topPath = new Map(top.map((row) => [row.ai_operator, row.path]));
    const names = visits.operators.map((row) => row.ai_operator);
    return {
      ...time.windows,
      totals: {
        ai_referred_visits: visits.total.requests,
        unique_paths: visits.total.distinct_path,
        operators: visits.operators.length,
        humans_total: humans,
        share_of_human_traffic_pct: percentOf(visits.total.requests, humans),
        previous: {
          window: time.previous,
          ai_referred_visits: visits.total.previous_requests,
          delta_pct: time.change.pct(visits.total.requests, visits.total.previous_requests),
        },
      },
      by_operator: visits.operators.map((row) => ({
        operator: row.ai_operator,
        visits: row.requests,
        unique_paths: row.distinct_path,
        top_path: topPath.get(row.ai_operator) ?? '',
        previous_visits: row.previous_requests,
        delta_pct: time.change.pct(row.requests, row.previous_requests),
      })),
      pages: await toPages(reader, scope, landings, where),
      series: namedSeries(
        { window: scope.window, granularity },
        series.map((row) => ({ time: row.time, name: row.ai_operator, count: row.requests })),
        { time: TIME_COLUMN, names },
      ) as z.input<typeof point>[],
      granularity,
      detection: {
        referrer_hosts: [...detection.referrerHosts],
        utm_sources: [...detection.utmSources],
        follow_on_minutes: FOLLOW_ON_MINUTES,
      },
    };
  },
  async complete(reader, scope, { operator }, told) {
    const paths = told.pages.map(({ path }) => path);
    const followOn = await readFollowOn(reader, scope, { paths, operator });
    return {
      ...told,
      pages: told.pages.map((entry) => {
        const found = followOn.get(entry.path) ?? { judged: 0, bounced: 0, next: [] };
        return {
          ...entry,
          bounce_proxy_pct: found.judged === 0 ? null : percentOf(found.bounced, found.judged),
          bounced: found.bounced,
          next_paths: found.next.map(({ path, visitors }) => ({ path, visits: visitors })),
        };
      }),
    };
  },
});

function ofOperator(operator: string): DimensionFilter {
  return {
    dimension: 'ai_operator',
    clause: (column) => ({
      sql: `lower(${column}) = {only_ai_operator: String}`,
      params: { only_ai_operator: operator.toLowerCase() },
    }),
  };
}

async function readVisits(reader: ClickHouseReader, scope: Scope, where: readonly DimensionFilter[]) {
  const { total, operators } = await select(reader, scope, {
    name: 'ai_landing.visits',
    from: [aiVisits],
    lists: { total: { by: [] }, operators: { by: ['ai_operator'] } },
    metrics: ['requests'],
    previous: ['requests'],
    distinct: ['path'],
    where,
  });
  return { total: total[0]!, operators };
}

async function readHumans(reader: ClickHouseReader, scope: Scope): Promise<number> {
  const { total } = await select(reader, scope, {
    name: 'ai_landing.humans',
    from: [traffic],
    lists: { total: { by: [] } },
    metrics: ['human_requests'],
  });
  return total[0]!.human_requests;
}

async function readSeries(
  reader: ClickHouseReader,
  scope: Scope,
  granularity: 'hour' | 'day',
  where: readonly DimensionFilter[],
) {
  const { list } = await select(reader, scope, {
    name: 'ai_landing.series',
    from: [aiVisits],
    lists: { list: { by: ['ai_operator'], overTime: true } },
    time: granularity,
    metrics: ['requests'],
    where,
  });
  return list;
}

async function readLandings(
  reader: ClickHouseReader,
  scope: Scope,
  limit: number,
  where: readonly DimensionFilter[],
) {
  const { list } = await select(reader, scope, {
    name: 'ai_landing.pages',
    from: [aiVisits],
    lists: { list: { by: ['path'], limit } },
    metrics: ['requests', 'first_seen', 'last_seen'],
    where,
  });
  return list;
}

type Landing = Awaited<ReturnType<typeof readLandings>>[number];

/** Their operators and all human requests beside the visits; what needs single requests is null. */
async function toPages(
  reader: ClickHouseReader,
  scope: Scope,
  landings: readonly Landing[],
  where: readonly DimensionFilter[],
): Promise<Page[]> {
  const paths = landings.map(({ path }) => path);
  const [operators, humans] = await Promise.all([
    readByTexts(paths, (batch) => readOperators(reader, scope, [...where, oneOf('path', batch)])),
    readByTexts(paths, (batch) => readHumansOf(reader, scope, batch)),
  ]);
  const operatorsOf = new Map<string, [operator: string, visits: number][]>(paths.map((path) => [path, []]));
  for (const { path, ai_operator, requests } of operators)
    operatorsOf.get(path)?.push([ai_operator, requests]);
  const humansOf = new Map(humans.map((row) => [row.path, row.human_requests]));
  return landings.map((row) => {
    const all = humansOf.get(row.path) ?? 0;
    return {
      path: row.path,
      visits: row.requests,
      operators: Object.fromEntries(operatorsOf.get(row.path) ?? []),
      humans_total: all,
      ai_share_pct: percentOf(row.requests, all),
      bounce_proxy_pct: null,
      bounced: null,
      next_paths: null,
      first_seen: toInstant(row.first_seen),
      last_seen: toInstant(row.last_seen),
    };
  });
}

async function readOperators(reader: ClickHouseReader, scope: Scope, where: readonly DimensionFilter[]) {
  const { list } = await select(reader, scope, {
    name: 'ai_landing.page_operators',
    from: [aiVisits],
    lists: { list: { by: ['path', 'ai_operator'] } },
    metrics: ['requests'],
    where,
  });
  return list;
}

async function readHumansOf(reader: ClickHouseReader, scope: Scope, paths: readonly string[]) {
  const { list } = await select(reader, scope, {
    name: 'ai_landing.page_humans',
    from: [pathsRollup],
    lists: { list: { by: ['path'] } },
    metrics: ['human_requests'],
    where: [oneOf('path', paths)],
  });
  return list;
}
