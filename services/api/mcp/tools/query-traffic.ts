import type { z } from 'zod';
import type { Answer } from '../answer.js';
import { ToolRefusal } from '../tool-refusal.js';
import { answerView, type View } from './answer-view.js';
import type { audiences, groups, inputs } from './catalogue.js';
import { fieldOf } from './read-fields.js';
import type { ToolContext } from './tool.js';

type Args = z.output<(typeof inputs)['query_traffic']>;
type Group = (typeof groups)[number];
type Audience = (typeof audiences)[number];

const classes: Readonly<Record<Audience, readonly string[]>> = {
  all: [
    'human_requests',
    'search_bot_requests',
    'ai_bot_requests',
    'other_bot_requests',
    'spoofed_bot_requests',
    'undeclared_agent_requests',
  ],
  people: ['human_requests'],
  bots: [
    'search_bot_requests',
    'ai_bot_requests',
    'other_bot_requests',
    'spoofed_bot_requests',
    'undeclared_agent_requests',
  ],
  search: ['search_bot_requests'],
  ai: ['ai_bot_requests'],
};
const errors = ['status_4xx', 'status_5xx'];
const before = ['previous_requests', 'delta_pct'];

export function queryTraffic(args: Args, context: ToolContext): Promise<Answer> {
  const view = viewOf(args);
  if (view === null)
    throw new ToolRefusal(`who: the API does not split ${args.by} by ${args.who}. ${partsOf(args.by)}`);
  return answerView(view, args, context);
}

function partsOf(by: Group): string {
  const splits = (['all', 'people', 'bots', 'search', 'ai'] as const).filter(
    (who) => viewOf({ by, who, compare: false }) !== null,
  );
  return `With by=${by} it takes ${splits.join(', ')}; other groups that take every value are hour, day and path.`;
}

/** @returns null: the API has no such figures. */
function viewOf({ by, who, compare }: Pick<Args, 'by' | 'who' | 'compare'>): View | null {
  if (by === 'hour' || by === 'day') return seriesView(by, who, compare);
  if (by === 'path') return pathView(who, compare);
  if (by === 'bot' || by === 'bot_access') return botView(by, who, compare);
  if (by === 'browser' || by === 'os' || by === 'device') return deviceView(by, who, compare);
  const view = otherViews[by];
  const shown = columnsOf(view.splits[who], compare, view.compares);
  return shown === null ? null : { ...view.view, columns: [...view.view.columns, ...shown, ...view.rest] };
}

const columnsOf = (columns: readonly string[] | undefined, compare: boolean, compares: boolean) =>
  columns === undefined ? null : [...columns, ...(compare && compares ? before : [])];

function seriesView(by: 'hour' | 'day', who: Audience, compare: boolean): View {
  return {
    operation: 'getTraffic',
    list: by === 'hour' ? 'hourly' : 'daily',
    columns: [
      'time',
      ...(who === 'all' ? ['requests'] : []),
      ...classes[who],
      ...(who === 'all' ? [...errors, 'avg_time_ms'] : []),
      'partial',
    ],
    series: true,
    notes: compare ? ['A series has no window before it; get_overview compares the totals.'] : [],
    console: { screen: '' },
  };
}

function pathView(who: Audience, compare: boolean): View {
  const console = { screen: 'pages' };
  const statuses = ['status_2xx', 'status_3xx', ...errors];
  if (who === 'ai')
    return {
      operation: 'getLlms',
      list: 'pages',
      columns: ['path', 'requests', 'unique_bots', ...statuses],
      mostRows: 1000,
      console,
    };
  if (who === 'search')
    return {
      operation: 'getPathExplorer',
      list: 'paths',
      columns: ['path', 'requests', 'verified_requests', ...statuses, 'bots'],
      mostRows: 1000,
      console,
    };
  return {
    operation: 'getPaths',
    list: 'paths',
    columns: ['path', 'requests', ...classes[who], ...statuses, 'avg_time_ms', ...(compare ? before : [])],
    mostRows: 1000,
    notes: who === 'all' ? [] : ['Paths are in the order of all requests.'],
    console,
  };
}

function botView(by: 'bot' | 'bot_access', who: Audience, compare: boolean): View | null {
  if (who === 'people') return null;
  const keep =
    who === 'search' || who === 'ai' ? (entry: unknown) => fieldOf(entry, 'bot_category') === who : undefined;
  const console = { screen: 'security', ...(by === 'bot_access' && { rest: { tab: 'access' } }) };
  const kept = keep === undefined ? {} : { keep };
  if (by === 'bot_access')
    return {
      operation: 'getBotsAccess',
      list: 'bots',
      columns: [
        'bot_name',
        'bot_category',
        'requests',
        'served.requests',
        'rejected.requests',
        'rejected.verified',
        'payment_required.requests',
        'access',
        'rejected_who',
        'rejected_by_status',
      ],
      ...kept,
      console,
    };
  return {
    operation: 'getBots',
    list: 'bots',
    columns: [
      'bot_name',
      'bot_operator',
      'bot_category',
      'ai_intent',
      'requests',
      'share_pct',
      'verified_requests',
      'spoofed_requests',
      'verification_status',
      ...errors,
      ...(compare ? before : []),
    ],
    ...kept,
    coverage: ['previous', 'deltas'],
    console,
  };
}

const lists = { browser: 'browsers', os: 'operating_systems', device: 'device_types' } as const;

/** Browsers are of people alone. */
function deviceView(by: keyof typeof lists, who: Audience, compare: boolean): View | null {
  if (who !== 'all' && who !== 'people') return null;
  return {
    operation: 'getDevices',
    list: lists[by],
    columns: ['name', 'requests', 'share_pct', 'unique_ips', ...(compare ? before : [])],
    notes: ['Requests of people only.'],
    console: { screen: '' },
  };
}

interface Split {
  readonly view: View;
  /** Columns of each audience that the API has. */
  readonly splits: Readonly<Partial<Record<Audience, readonly string[]>>>;
  readonly compares: boolean;
  readonly rest: readonly string[];
}

const requests = ['requests', 'share_pct'];
const peopleAndBots = {
  all: [...requests, 'human_requests', 'bot_requests'],
  people: ['human_requests'],
  bots: ['bot_requests'],
};
const overview = { screen: '' };

const otherViews: Readonly<Record<'status' | 'country' | 'city' | 'ip' | 'network' | 'referrer', Split>> = {
  status: {
    view: { operation: 'getStatusCodes', list: 'status_codes', columns: ['status'], console: overview },
    splits: peopleAndBots,
    compares: true,
    rest: [],
  },
  country: {
    view: {
      operation: 'getGeography',
      list: 'countries',
      columns: ['country', 'country_name'],
      console: overview,
    },
    splits: peopleAndBots,
    compares: true,
    rest: ['unique_ips', ...errors],
  },
  city: {
    view: {
      operation: 'getGeography',
      list: 'cities',
      columns: ['country', 'region', 'city'],
      console: overview,
    },
    splits: peopleAndBots,
    compares: true,
    rest: ['unique_ips'],
  },
  ip: {
    view: {
      operation: 'getIps',
      list: 'ips',
      columns: ['client_ip', 'country', 'as_name'],
      console: { screen: 'security', rest: { tab: 'addresses' } },
    },
    splits: { all: [...requests, 'bot_requests'], bots: ['bot_requests'] },
    compares: false,
    rest: [...errors, 'error_rate_pct', 'claims', 'last_seen'],
  },
  network: {
    view: {
      operation: 'getIps',
      list: 'ip_ranges',
      columns: ['ip_range', 'country', 'as_name'],
      console: { screen: 'security', rest: { tab: 'addresses' } },
    },
    splits: { all: [...requests, 'bot_requests'], bots: ['bot_requests'] },
    compares: false,
    rest: ['unique_ips', ...errors, 'claims'],
  },
  referrer: {
    view: {
      operation: 'getReferrers',
      list: 'referrers',
      columns: ['referrer_domain', 'referrer_class', 'ai_operator'],
      console: overview,
    },
    splits: { all: [...requests, 'human_requests'], people: ['human_requests'] },
    compares: true,
    rest: errors,
  },
};
