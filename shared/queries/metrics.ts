/**
 * What is counted, each figure's SQL written once. A metric has two forms: `ofRequests` aggregates rows of `requests`
 * (alias r) into a value of the type that the rollup tables store, and {@link merged} folds stored values (alias s)
 * into the answer. The views in shared/clickhouse/migrations compute the same; test/truth holds the three together.
 */

type Fold =
  | { readonly kind: 'sum' | 'min' | 'max' | 'any' }
  | { readonly kind: 'state'; readonly aggregate: string };

type Metric = Fold & { readonly ofRequests: string };

const sum = (ofRequests: string): Metric => ({ kind: 'sum', ofRequests });

/** Standard error 0.81 %; exact for small sets. */
const unique = (column: string): Metric => ({
  kind: 'state',
  aggregate: 'uniqCombined64:14',
  ofRequests: `uniqCombined64State(14)(${column})`,
});

/** True where the column holds a status of the class, e.g. 4 for 4xx. */
export function inStatusClass(column: string, statusClass: 2 | 3 | 4 | 5): string {
  return `${column} >= ${statusClass}00 AND ${column} < ${statusClass + 1}00`;
}

const metrics = {
  requests: sum('count()'),
  human_requests: sum("countIf(r.traffic_class = 'human')"),
  search_bot_requests: sum("countIf(r.traffic_class = 'search_bot')"),
  ai_bot_requests: sum("countIf(r.traffic_class = 'ai_bot')"),
  status_2xx: sum(`countIf(${inStatusClass('r.status', 2)})`),
  status_3xx: sum(`countIf(${inStatusClass('r.status', 3)})`),
  status_4xx: sum(`countIf(${inStatusClass('r.status', 4)})`),
  status_5xx: sum(`countIf(${inStatusClass('r.status', 5)})`),
  bytes_sent: sum('sum(r.bytes_sent)'),
  /** Requests whose source told how long they took. */
  timed_requests: sum('count(r.time_taken_ms)'),
  time_taken_ms: sum('sum(ifNull(r.time_taken_ms, 0))'),
  time_taken_ms_max: { kind: 'max', ofRequests: 'max(ifNull(r.time_taken_ms, 0))' },
  /** p50, p95, p99 of the timed requests, cut to 16-bit floats (bfloat16.ts). */
  time_quantiles: {
    kind: 'state',
    aggregate: 'quantilesBFloat16:0.5, 0.95, 0.99',
    ofRequests: 'quantilesBFloat16State(0.5, 0.95, 0.99)(r.time_taken_ms)',
  },
  client_ips: unique('r.client_ip'),
  paths: unique('r.path'),
  first_seen: { kind: 'min', ofRequests: 'min(r.timestamp)' },
  last_seen: { kind: 'max', ofRequests: 'max(r.timestamp)' },
  asn: { kind: 'any', ofRequests: 'any(r.asn)' },
  as_name: { kind: 'any', ofRequests: 'any(r.as_name)' },
} as const satisfies Record<string, Metric>;

export type MetricName = keyof typeof metrics;

/** SQL that aggregates `requests AS r` to what a rollup stores. */
export function ofRequests(metric: MetricName): string {
  return metrics[metric].ofRequests;
}

/** SQL that folds the stored values of `s`, all of them or those for which `condition` holds. */
export function merged(metric: MetricName, condition?: string): string {
  const fold: Metric = metrics[metric];
  const [name, parameters] =
    fold.kind === 'state' ? (fold.aggregate.split(':') as [string, string]) : [fold.kind, ''];
  const combinator = (fold.kind === 'state' ? 'Merge' : '') + (condition === undefined ? '' : 'If');
  const column = condition === undefined ? `s.${metric}` : `s.${metric}, ${condition}`;
  return `${name}${combinator}${parameters === '' ? '' : `(${parameters})`}(${column})`;
}

/** The same for an instant, as milliseconds since the epoch. */
export function mergedInstant(metric: 'first_seen' | 'last_seen'): string {
  return `toUnixTimestamp64Milli(${merged(metric)})`;
}
