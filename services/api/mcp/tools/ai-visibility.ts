import type { z } from 'zod';
import type { Answer } from '../answer.js';
import { nearest } from '../nearest.js';
import { ToolRefusal } from '../tool-refusal.js';
import { answerView, type View } from './answer-view.js';
import type { aiViews, inputs } from './catalogue.js';
import { fieldOf } from './read-fields.js';
import type { ToolContext } from './tool.js';

type Args = z.output<(typeof inputs)['ai_visibility']>;

const funnelColumns = [
  'operator',
  'fetches',
  'citations',
  'training_requests',
  'referrals',
  'fetches_per_visit',
];

const views: Readonly<Record<(typeof aiViews)[number], View>> = {
  crawlers: {
    operation: 'getLlms',
    list: 'crawlers',
    columns: [
      'bot_name',
      'bot_operator',
      'intent',
      'requests',
      'share_pct',
      'unique_pages',
      'verified_count',
      'unverified_count',
      'spoofed_count',
      'previous_requests',
      'delta_pct',
    ],
    coverage: ['intent_totals', 'pages_by_intent'],
    console: { screen: 'ai' },
  },
  funnel: {
    operation: 'getAiFunnel',
    list: 'operators',
    columns: [
      ...funnelColumns,
      'error_landings',
      'top_landing_pages',
      'previous.fetches',
      'previous.referrals',
    ],
    coverage: ['totals.previous', 'totals.deltas'],
    console: { screen: 'ai', rest: { tab: 'visits' } },
  },
  landing: {
    operation: 'getAiLanding',
    list: 'pages',
    columns: ['path', 'visits', 'operators', 'human_visits', 'ai_share_pct', 'bounce_proxy_pct', 'last_seen'],
    coverage: ['totals.previous'],
    console: { screen: 'ai', rest: { tab: 'landing' } },
  },
  never_fetched: {
    operation: 'getAiFunnel',
    list: 'discovery.pages',
    columns: ['path', 'impressions_28d', 'clicks_28d', 'avg_position', 'ai_fetches'],
    coverage: ['discovery'],
    console: { screen: 'ai', rest: { tab: 'visits' } },
  },
  undeclared: {
    operation: 'getUnknownBots',
    list: 'bots',
    columns: [
      'bot_name',
      'bot_category',
      'requests',
      'sample_user_agents',
      'unique_ips',
      'unique_paths',
      'networks',
      'countries',
      'last_seen',
    ],
    mostRows: 100,
    console: { screen: 'ai', rest: { tab: 'undeclared' } },
  },
  ratio: {
    operation: 'getAiFunnel',
    list: 'operators',
    columns: funnelColumns,
    notes: [
      'fetches_per_visit: pages that search and answer bots fetched for each visit that the operator sent.',
    ],
    console: { screen: 'ai', rest: { tab: 'visits' } },
  },
};

const operatorField: Readonly<Partial<Record<(typeof aiViews)[number], string>>> = {
  crawlers: 'bot_operator',
  funnel: 'operator',
  ratio: 'operator',
};

export async function aiVisibility(args: Args, context: ToolContext): Promise<Answer> {
  const { view: name, operator } = args;
  const view = views[name];
  if (operator === undefined) return answerView(view, args, context);
  if (name === 'landing') return answerView({ ...view, parameters: { operator } }, args, context);
  const field = operatorField[name];
  if (field === undefined)
    throw new ToolRefusal(`operator: the view ${name} has none; crawlers, funnel, landing and ratio have.`);
  const wanted = operator.toLowerCase();
  const isWanted = (entry: unknown) => String(fieldOf(entry, field)).toLowerCase() === wanted;
  const answer = await answerView({ ...view, keep: isWanted }, args, context);
  if (answer.rows.length > 0) return answer;
  throw new ToolRefusal('operator: none of this name in the period.', {
    detail: await operatorsOf(view, field, operator, args, context),
  });
}

async function operatorsOf(view: View, field: string, given: string, args: Args, context: ToolContext) {
  const { rows } = await answerView(
    { ...view, columns: [field] },
    { ...args, limit: 100, cursor: undefined },
    context,
  );
  const names = [...new Set(rows.map(([name]) => String(name)))];
  const near = nearest(given, names);
  return `${near === null ? '' : `Nearest: ${near}. `}Operators: ${names.join(', ') || 'none'}`;
}
