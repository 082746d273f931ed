import type { z } from 'zod';
import type { Answer, Cell } from '../answer.js';
import { ToolRefusal } from '../tool-refusal.js';
import { answerView, notesOf, prepare, urlOf, type View } from './answer-view.js';
import type { inputs } from './catalogue.js';
import { cellOf, fieldOf, listAt, scalarsOf } from './read-fields.js';
import { operationOf, type ToolContext } from './tool.js';

type Args = z.output<(typeof inputs)['incidents']>;

const screen = { screen: 'incidents' };

const open: View = {
  operation: 'listAlerts',
  list: 'incidents',
  columns: [
    'title',
    'status',
    'severity',
    'alert_type',
    'subject',
    'first_seen',
    'last_seen',
    'duration_seconds',
    'count',
    'acknowledged_all',
    'latest_alert.message',
    'latest_alert.alert_id',
  ],
  parameters: { view: 'incidents' },
  snapshot: true,
  notes: ['status active: may still go on; cleared: over.'],
  console: screen,
};

const alerts: View = {
  operation: 'listAlerts',
  list: 'alerts',
  columns: [
    'created_at',
    'alert_type',
    'severity',
    'message',
    'acknowledged',
    'occurrences',
    'last_seen',
    'alert_id',
  ],
  console: screen,
};

export function incidents(args: Args, context: ToolContext): Promise<Answer> {
  const { view, type } = args;
  if (type !== undefined && view !== 'open' && view !== 'alerts')
    throw new ToolRefusal(`type: the view ${view} has none; open and alerts have.`);
  if (view === 'health') return health(args, context);
  if (view === 'advice') return advice(args, context);
  const base = view === 'open' ? open : alerts;
  const parameters = { ...base.parameters, ...(type !== undefined && { type }) };
  return answerView({ ...base, parameters }, args, context);
}

async function health(args: Args, context: ToolContext): Promise<Answer> {
  const prepared = await prepare('getHealth', args, context);
  const { json } = await context.call(operationOf(context, 'getHealth'), prepared.parameters);
  const columns = ['current', 'baseline_mean', 'baseline_std', 'z_score', 'status', 'current_rate', 'unit'];
  const metrics = Object.entries((json.metrics ?? {}) as Record<string, unknown>);
  return {
    notes: [
      ...prepared.notes,
      ...notesOf(json),
      'Values of the last minutes against the usual band of this hour.',
    ],
    coverage: {
      ...scalarsOf(json, { depth: 0 }),
      ...scalarsOf(json.baseline_maturity, { prefix: 'baseline_maturity.' }),
      active_alerts: cellOf(json.active_alerts),
    },
    columns: ['metric', ...columns],
    rows: metrics.map(([metric, value]): Cell[] => [
      metric,
      ...columns.map((column) => cellOf(fieldOf(value, column))),
    ]),
    consoleUrl: urlOf(screen, args, prepared, context),
  };
}

/** Lists of the recommendations, each with the field that names the thing and the one that counts. */
const adviceLists = [
  ['ips_to_block', 'ip', 'request_count'],
  ['paths_404', 'path', 'request_count'],
  ['unverified_bots', 'claimed_bot', 'request_count'],
  ['slow_paths', 'path', 'avg_latency_ms'],
] as const;

async function advice(args: Args, context: ToolContext): Promise<Answer> {
  const prepared = await prepare('getRecommendations', args, context);
  const { json } = await context.call(operationOf(context, 'getRecommendations'), prepared.parameters);
  const of = Math.max(1, Math.floor(args.limit / adviceLists.length));
  const rows = adviceLists.flatMap(([list, thing, count]) =>
    listAt(json, list)
      .slice(0, of)
      .map((entry): Cell[] => [
        list,
        cellOf(fieldOf(entry, thing)),
        cellOf(fieldOf(entry, count)),
        ...['score', 'reason_badges', 'last_seen', 'key'].map((name) => cellOf(fieldOf(entry, name))),
      ]),
  );
  return {
    notes: [
      ...prepared.notes,
      ...notesOf(json),
      `The ${of} most urgent of each kind. amount is requests, for slow_paths milliseconds. getRecommendationSnippet has rules to paste.`,
    ],
    window: json.window as Answer['window'] & object,
    coverage: scalarsOf(json, { depth: 0 }),
    columns: ['kind', 'thing', 'amount', 'score', 'reason_badges', 'last_seen', 'key'],
    rows,
    consoleUrl: urlOf({ screen: 'security' }, args, prepared, context),
  };
}
