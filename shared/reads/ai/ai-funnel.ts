import { z } from '@hono/zod-openapi';
import type { ClickHouseReader } from '../../store/client.js';
import { answer } from '../answer/answer.js';
import { changesOf, count, loggedPath, sumsOf, twoDigits } from '../answer/figures.js';
import { answerWindow, comparedWindow, compareWindows } from '../answer/windows.js';
import type { SearchConnection } from '../search/search-connection.js';
import { aiVisits, bots, crawlerPaths } from '../sql/read-tables.js';
import type { Scope } from '../sql/scope.js';
import { selectList } from '../sql/select.js';
import { aiClaims } from './ai-claims.js';
import { discovery, readDiscovery } from './ai-discovery.js';
import { readLandings, readTopLandings } from './ai-visits.js';

/** Landing pages of each operator. */
const TOP_LANDINGS = 5;

const figures = z.object({
  fetches: count(
    'Requests of crawlers that search for answers or fetch a page when a person asks (intents search and fetcher), except proven impostors.',
  ),
  citations: count(
    'Fetches made when a person asked (intent fetcher), from a verified address of the crawler, answered 200 or 304.',
  ),
  training_requests: count('Requests of crawlers that collect text for models, except proven impostors.'),
  referrals: count('Visits that the operator’s assistants sent, as ai-landing counts them.'),
  error_landings: count('Landings on an error (4xx, 5xx) that they sent. These are not visits.'),
  fetches_per_visit: z.number().nullable().openapi({
    description: 'Fetches per visit; null if there were no visits.',
  }),
  reads_per_visit: z.number().nullable().openapi({
    description: 'fetches and training_requests together, per visit; null if there were no visits.',
  }),
});

type Figures = z.input<typeof figures>;
type Counts = Omit<Figures, 'fetches_per_visit' | 'reads_per_visit'>;

const changes = changesOf(['fetches_pct', 'citations_pct', 'training_requests_pct', 'referrals_pct']);

const operatorEntry = figures
  .extend({
    operator: z.string().openapi({
      description: 'The name is the same for crawlers and for the assistants that send visitors.',
      example: 'OpenAI',
    }),
    bots: z.array(z.string()).openapi({
      description: 'Its crawlers seen in the window, most requests first.',
      example: ['ChatGPT-User', 'GPTBot'],
    }),
    top_landing_pages: z
      .array(z.object({ path: loggedPath, visits: count('Visits of the page.') }))
      .openapi({ description: `The ${TOP_LANDINGS} pages with the most visits from its assistants.` }),
    previous: figures.openapi({ description: 'The figures of the previous window.' }),
  })
  .openapi('AiFunnelOperator');

export interface AiFunnelInput {
  readonly min_impressions: number;
  /** null: the website has no search-performance source. */
  readonly connection: SearchConnection | null;
}

export const aiFunnel = answer({
  schema: z.object({
    ...comparedWindow,
    operators: z.array(operatorEntry).openapi({
      description:
        'Operators with a crawler or a landing in the window: most fetches first, then most visits. AI bots without an operator (`bots/unknown` lists them) are not counted here.',
    }),
    totals: figures.extend({
      operators: count('Operators in the list.'),
      previous: figures.extend({ window: answerWindow }),
      deltas: changes.schema,
    }),
    discovery,
  }),
  from: [[bots], [aiVisits], [crawlerPaths]],
  async read(reader, scope, { min_impressions: minImpressions, connection }: AiFunnelInput) {
    const [time, claims, { visits, errors }, landings, found] = await Promise.all([
      compareWindows(reader, scope),
      readClaims(reader, scope),
      readLandings(reader, scope, 'ai_funnel.visits'),
      readTopLandings(reader, scope, TOP_LANDINGS),
      readDiscovery(reader, scope, { connection, minImpressions }),
    ]);
    const operators = foldOperators({ claims, visits: visits.operators, errors: errors.operators });
    const all = [...operators.values()];
    const current = {
      ...sumOf(all.map((one) => one.current)),
      referrals: visits.total.visits,
      error_landings: errors.total.visits,
    };
    const previous = {
      ...sumOf(all.map((one) => one.previous)),
      referrals: visits.total.previous_visits,
      error_landings: errors.total.previous_visits,
    };
    const listed = [...operators].filter(([, { current: now }]) => isAny(now)).sort(inOrder);
    return {
      ...time.windows,
      operators: listed.map(([operator, one]) => ({
        operator,
        bots: one.bots,
        ...toFigures(one.current),
        top_landing_pages: landings
          .filter(({ ai_operator }) => ai_operator === operator)
          .map(({ path, visits: some }) => ({ path, visits: some })),
        previous: toFigures(one.previous),
      })),
      totals: {
        operators: listed.length,
        ...toFigures(current),
        previous: { window: time.previous, ...toFigures(previous) },
        deltas: changes.between(current, previous, time.change),
      },
      discovery: found,
    };
  },
});

function readClaims(reader: ClickHouseReader, scope: Scope) {
  return selectList(reader, scope, {
    name: 'ai_funnel.claims',
    from: [bots],
    by: ['bot_operator', 'bot_name', 'ai_intent'],
    withPast: true,
    foldedHere: true,
    metrics: ['unspoofed_requests', 'cited_requests'],
    previous: ['unspoofed_requests', 'cited_requests'],
    where: [aiClaims],
  });
}

interface Operator {
  readonly bots: string[];
  readonly current: Counts;
  readonly previous: Counts;
}

type ClaimRow = Awaited<ReturnType<typeof readClaims>>[number];
type LandingRow = Awaited<ReturnType<typeof readLandings>>['visits']['operators'][number];

interface Read {
  /** Most requests first. */
  readonly claims: readonly ClaimRow[];
  readonly visits: readonly LandingRow[];
  readonly errors: readonly LandingRow[];
}

function foldOperators({ claims, visits, errors }: Read): ReadonlyMap<string, Operator> {
  const operators = new Map<string, Operator>();
  const of = (name: string): Operator => {
    const operator = operators.get(name) ?? { bots: [], current: { ...nothing }, previous: { ...nothing } };
    operators.set(name, operator);
    return operator;
  };
  for (const row of claims) {
    // No table assigns this user agent to an operator. Anyone could add entries to the list by sending such requests.
    if (row.bot_operator === '') continue;
    const { bots: names, current, previous } = of(row.bot_operator);
    if (row.unspoofed_requests > 0 && !names.includes(row.bot_name)) names.push(row.bot_name);
    addClaims(current, row.ai_intent, row.unspoofed_requests, row.cited_requests);
    addClaims(previous, row.ai_intent, row.previous_unspoofed_requests, row.previous_cited_requests);
  }
  for (const row of visits) {
    const { current, previous } = of(row.ai_operator);
    current.referrals += row.visits;
    previous.referrals += row.previous_visits;
  }
  for (const row of errors) {
    const { current, previous } = of(row.ai_operator);
    current.error_landings += row.visits;
    previous.error_landings += row.previous_visits;
  }
  return operators;
}

const nothing: Readonly<Counts> = {
  fetches: 0,
  citations: 0,
  training_requests: 0,
  referrals: 0,
  error_landings: 0,
};

function addClaims(counts: Counts, intent: string, requests: number, cited: number): void {
  if (intent === 'training') counts.training_requests += requests;
  else if (intent === 'search' || intent === 'fetcher') counts.fetches += requests;
  if (intent === 'fetcher') counts.citations += cited;
}

const sumOf = (all: readonly Counts[]) => sumsOf(['fetches', 'citations', 'training_requests'], all);

function toFigures(counts: Counts): Figures {
  const { fetches, training_requests: training, referrals } = counts;
  const perVisit = (requests: number) => (referrals === 0 ? null : twoDigits(requests / referrals));
  return { ...counts, fetches_per_visit: perVisit(fetches), reads_per_visit: perVisit(fetches + training) };
}

const isAny = ({ fetches, training_requests, referrals, error_landings }: Counts) =>
  fetches + training_requests + referrals + error_landings > 0;

function inOrder([a, { current: one }]: [string, Operator], [b, { current: other }]: [string, Operator]) {
  return (
    other.fetches - one.fetches ||
    other.referrals - one.referrals ||
    other.training_requests - one.training_requests ||
    (a < b ? -1 : 1)
  );
}
