import type { Answer, Cell } from '../answer.js';
import { ToolRefusal } from '../tool-refusal.js';
import { notesOf, prepare, urlOf } from './answer-view.js';
import type { SharedArguments } from './arguments.js';
import { cellOf, fieldOf } from './read-fields.js';
import { operationOf, type ToolContext } from './tool.js';

/** Figures of the summary in the order of a first look. */
const metrics = [
  'total_requests',
  'human_requests',
  'search_bot_requests',
  'ai_bot_requests',
  'other_bot_requests',
  'spoofed_bot_requests',
  'undeclared_agent_requests',
  'verified_bot_requests',
  'unverifiable_bot_requests',
  'pending_bot_requests',
  'unique_ips',
  'unique_human_ips',
  'unique_paths',
  'bytes_sent',
  'status_2xx',
  'status_3xx',
  'status_4xx',
  'status_5xx',
  'error_rate_4xx_pct',
  'error_rate_5xx_pct',
  'avg_time_ms',
  'p50_time_ms',
  'p95_time_ms',
  'p99_time_ms',
];

export async function getOverview(args: SharedArguments, context: ToolContext): Promise<Answer> {
  const prepared = await prepare('getSummary', args, context);
  const { json } = await context.call(operationOf(context, 'getSummary'), prepared.parameters);
  const rows = metrics
    .filter((metric) => metric in json)
    .map((metric): Cell[] => [
      metric,
      cellOf(fieldOf(json, metric)),
      cellOf(fieldOf(json, `previous.${metric}`)),
      cellOf(fieldOf(json, `deltas.${metric}_pct`)),
    ]);
  return {
    notes: [...prepared.notes, ...notesOf(json), ...(await incidentNote(prepared.website, context))],
    window: json.window as object as Answer['window'] & object,
    coverage: {
      data_since: cellOf(json.data_since),
      top_bots: cellOf(json.top_bots),
      top_countries: cellOf(json.top_countries),
      top_status_codes: cellOf(json.top_status_codes),
      previous_start: cellOf(fieldOf(json, 'previous.window.start')),
    },
    columns: ['metric', 'value', 'previous', 'change_pct'],
    rows: rows.slice(0, Math.max(args.limit, metrics.length)),
    consoleUrl: urlOf({ screen: '' }, args, prepared, context),
  };
}

async function incidentNote(website_id: string, context: ToolContext): Promise<string[]> {
  try {
    const { json } = await context.call(operationOf(context, 'listAlerts'), {
      website_id,
      view: 'incidents',
    });
    const count = Number(json.unacknowledged_count);
    return count > 0 ? [`${count} incidents are not acknowledged: see the tool incidents.`] : [];
  } catch (error) {
    // The plan may lack alerts, and the overview is worth having without them.
    if (error instanceof ToolRefusal) return [];
    throw error;
  }
}
