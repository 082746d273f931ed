import { z } from 'zod';
import { visitDigest } from './ai-landings.js';
import { middleOfBFloat16 } from './bfloat16.js';
import { isKnownIp } from './client-ip.js';
import { type Condition, conditionSql } from './condition.js';
import type { DimensionName } from './dimensions.js';

/**
 * All metrics, each defined once. A stored metric has the SQL that aggregates rows of `requests` (alias r), and the fold of stored values
 * into the answer. A metric may also be derived from another one by a condition on a dimension. A table with that dimension need not store
 * the metric. The views in shared/store/migrations compute the same values; test/truth checks that all three agree.
 */

type Fold =
  | { readonly kind: 'sum' | 'min' | 'max' }
  /** The value in the latest request; of several at the same instant the one of the greatest `asn`. */
  | { readonly kind: 'latest' }
  | { readonly kind: 'state'; readonly aggregate: string };

/** The metric `of` over the rows where the dimension `on` passes the condition. */
interface Part {
  readonly of: string;
  readonly on: DimensionName;
  readonly passes: Condition;
}

interface Metric {
  readonly fold: Fold;
  /** null: no table stores it. */
  readonly ofRequests: string | null;
  readonly parts: readonly Part[];
  readonly type: z.ZodType;
  /** SQL of the answer's value from the folded one. */
  readonly toAnswer?: (folded: string) => string;
  /** Its value without requests. */
  readonly none: unknown;
}

const count = z.number();

const sum = <Name extends string | null>(ofRequests: Name, ...parts: Part[]) => ({
  fold: { kind: 'sum' as const },
  ofRequests,
  parts,
  type: count,
  none: 0,
});

/** Standard error 0.81 %; exact for small sets. */
const unique = (column: string, ...parts: Part[]) => ({
  fold: { kind: 'state' as const, aggregate: 'uniqCombined64:14' },
  ofRequests: `uniqCombined64State(14)(${column})`,
  parts,
  type: count,
  none: 0,
});

const uniquePart = (...parts: Part[]) => ({ ...unique('r.client_ip', ...parts), ofRequests: null });

/** @param passes a single value: equal to it. */
const where = (of: string, on: DimensionName, passes: Condition | string): Part => ({
  of,
  on,
  passes: typeof passes === 'string' ? { oneOf: [passes] } : passes,
});

const statusClassRange = (statusClass: number): Condition => ({
  from: statusClass * 100,
  below: (statusClass + 1) * 100,
});

/** SQL that is true if the column has a status of the class, e.g. 4 for 4xx. */
export function inStatusClass(column: string, statusClass: 1 | 2 | 3 | 4 | 5): string {
  return conditionSql(column, statusClassRange(statusClass));
}

const ofClass = (trafficClass: string) =>
  sum(`countIf(r.traffic_class = '${trafficClass}')`, where('requests', 'traffic_class', trafficClass));

const ofStatus = (statusClass: 1 | 2 | 3 | 4 | 5) =>
  sum(
    `countIf(${inStatusClass('r.status', statusClass)})`,
    where('requests', 'status', statusClassRange(statusClass)),
  );

const ofVerification = (verification: string) => sum(null, where('requests', 'verification', verification));

/** Late impostors by their claimed class. */
const ofLateClass = (trafficClass: string) =>
  sum(null, where('late_spoofed_requests', 'traffic_class', trafficClass));

const withStatus = (status: number, of = 'requests') => sum(null, where(of, 'status', { oneOf: [status] }));

/** The statuses that reject a bot (spec §4.2). */
export const rejectionStatuses = [401, 403, 429, 451] as const;
/** The status that requires payment: an offer, so not a rejection. */
export const PAYMENT_REQUIRED = 402;
const isRejected: Condition = { oneOf: rejectionStatuses };
const isServed: Condition = { from: 200, below: 400 };
/** Statuses that redirect; 304 does not. */
const redirectStatuses = [301, 302, 303, 307, 308] as const;
const isRedirected: Condition = { oneOf: redirectStatuses };
const isHuman: Condition = { oneOf: [false] };

const quantile = z
  .number()
  .nullable()
  .transform((cut) => (cut === null ? null : middleOfBFloat16(cut)));

const instant = (kind: 'min' | 'max', column: string) => ({
  fold: { kind },
  ofRequests: column,
  parts: [],
  type: count,
  toAnswer: (folded: string) => `toUnixTimestamp64Milli(${folded})`,
  none: 0,
});

/** A group of raw rows may hold several addresses. The views group by address, and an address has one network. */
const latest = <Type extends z.ZodType>(column: string, type: Type, none: z.output<Type>) => ({
  fold: { kind: 'latest' as const },
  ofRequests: `argMax(r.${column}, tuple(r.timestamp, r.asn))`,
  parts: [],
  type,
  none,
});

export const metrics = {
  requests: sum('count()'),
  human_requests: {
    ...ofClass('human'),
    parts: [where('requests', 'traffic_class', 'human'), where('requests', 'is_bot', isHuman)],
  },
  /** Not a person's: claims to be a bot, and undeclared agents. */
  bot_requests: sum(null, where('requests', 'bot_verification', { noneOf: [''] })),
  search_bot_requests: ofClass('search_bot'),
  ai_bot_requests: ofClass('ai_bot'),
  other_bot_requests: ofClass('other_bot'),
  spoofed_bot_requests: ofClass('spoofed_bot'),
  undeclared_agent_requests: {
    ...ofClass('undeclared_agent'),
    parts: [
      where('requests', 'traffic_class', 'undeclared_agent'),
      where('requests', 'bot_verification', 'undeclared'),
    ],
  },
  verified_requests: ofVerification('verified'),
  spoofed_requests: ofVerification('spoofed'),
  /** Verified requests that only the website's CDN vouches for. */
  cdn_verified_requests: sum(null, where('requests', 'verification_method', 'cdn')),
  unverifiable_requests: ofVerification('unverifiable'),
  pending_requests: ofVerification('pending'),
  /** Undecided claims: pending, or not verifiable. */
  unproved_requests: sum(null, where('requests', 'verification', { oneOf: ['pending', 'unverifiable'] })),
  /** Undecided claims of crawlers that can be verified. */
  undecided_requests: sum(null, where('unproved_requests', 'verification_method', { noneOf: [''] })),
  /** Claims except disproved ones. */
  unspoofed_requests: sum(null, where('requests', 'verification', { noneOf: ['spoofed'] })),
  /** Pending when they were stored, and disproved since: their stored class is the claimed one. */
  late_spoofed_requests: sum(null, where('spoofed_requests', 'bot_verification', 'pending')),
  late_search_bot_requests: ofLateClass('search_bot'),
  late_ai_bot_requests: ofLateClass('ai_bot'),
  late_other_bot_requests: ofLateClass('other_bot'),
  verified_search_bot_requests: sum(null, where('verified_requests', 'traffic_class', 'search_bot')),
  verified_ai_bot_requests: sum(null, where('verified_requests', 'traffic_class', 'ai_bot')),
  status_1xx: ofStatus(1),
  status_2xx: ofStatus(2),
  status_3xx: ofStatus(3),
  status_4xx: ofStatus(4),
  status_5xx: ofStatus(5),
  /** Answered 2xx or 3xx. */
  served_requests: sum(null, where('requests', 'status', isServed)),
  redirected_requests: sum(null, where('requests', 'status', isRedirected)),
  rejected_requests: sum(null, where('requests', 'status', isRejected)),
  status_401: withStatus(401),
  status_403: withStatus(403),
  status_429: withStatus(429),
  status_451: withStatus(451),
  status_402: withStatus(PAYMENT_REQUIRED),
  verified_402: withStatus(PAYMENT_REQUIRED, 'verified_requests'),
  spoofed_402: withStatus(PAYMENT_REQUIRED, 'spoofed_requests'),
  verified_401: withStatus(401, 'verified_requests'),
  verified_403: withStatus(403, 'verified_requests'),
  verified_429: withStatus(429, 'verified_requests'),
  verified_451: withStatus(451, 'verified_requests'),
  served_verified: sum(null, where('verified_requests', 'status', isServed)),
  served_spoofed: sum(null, where('spoofed_requests', 'status', isServed)),
  rejected_verified: sum(null, where('verified_requests', 'status', isRejected)),
  rejected_spoofed: sum(null, where('spoofed_requests', 'status', isRejected)),
  /** Requests of verified crawlers, answered with the page: if the crawler fetches for an answer, this is called a citation. */
  cited_requests: sum(null, where('verified_requests', 'status', { oneOf: [200, 304] })),
  /** Requests that only a vulnerability scanner makes. */
  probes: sum('countIf(r.is_probe)'),
  /** The path was sent in the normal spelling. */
  as_stored: sum("countIf(r.sent_target = '')"),
  bytes_sent: sum('sum(r.bytes_sent)'),
  /** Requests whose source reported their time. */
  timed_requests: sum('count(r.time_taken_ms)'),
  time_taken_ms: sum('sum(ifNull(r.time_taken_ms, 0))'),
  time_taken_ms_max: {
    fold: { kind: 'max' },
    ofRequests: 'max(ifNull(r.time_taken_ms, 0))',
    parts: [],
    type: count,
    none: 0,
  },
  /** p50, p95, p99 of the timed requests in milliseconds, truncated to 16-bit floats (bfloat16.ts). */
  time_quantiles: {
    fold: { kind: 'state', aggregate: 'quantilesBFloat16:0.5, 0.95, 0.99' },
    ofRequests: 'quantilesBFloat16State(0.5, 0.95, 0.99)(r.time_taken_ms)',
    parts: [],
    type: z.tuple([quantile, quantile, quantile]),
    none: [null, null, null],
  },
  /** Excludes erased addresses; a rollup counted them before (docs/privacy.md). */
  client_ips: {
    ...unique('r.client_ip'),
    ofRequests: `uniqCombined64StateIf(14)(r.client_ip, ${isKnownIp('r.client_ip')})`,
  },
  human_client_ips: uniquePart(where('client_ips', 'is_bot', isHuman)),
  /** Exact, because visits from assistants are few. Landings on an error are also counted, separately (ai-landings.ts). */
  visits: {
    fold: { kind: 'state', aggregate: 'uniqExact' },
    ofRequests: `uniqExactState(${visitDigest})`,
    parts: [],
    type: count,
    none: 0,
  },
  /** Excludes requests without a path (filters.ts). */
  paths: {
    ...unique('r.path'),
    ofRequests: "uniqCombined64StateIf(14)(r.path, r.path != '')",
  },
  first_seen: instant('min', 'min(r.timestamp)'),
  last_seen: instant('max', 'max(r.timestamp)'),
  asn: latest('asn', z.number(), 0),
  as_name: latest('as_name', z.string(), ''),
} as const satisfies Record<string, Metric>;

export type MetricName = keyof typeof metrics;

/** Sums that each rollup of traffic stores besides its counts. */
export const volumeMetrics = ['requests', 'bytes_sent', 'timed_requests', 'time_taken_ms'] as const;
export type MetricValue<Name extends MetricName> = z.output<(typeof metrics)[Name]['type']>;

/** SQL that aggregates `requests AS r` to a rollup's stored value. @throws Error if no rollup stores it. */
export function ofRequests(metric: MetricName): string {
  const sql: string | null = metrics[metric].ofRequests;
  if (sql === null) throw new Error(`no table stores ${metric}`);
  return sql;
}

/** SQL that folds the stored values of `s`, optionally only those that satisfy `condition`. */
function merged(metric: MetricName, condition?: string): string {
  const { fold }: Metric = metrics[metric];
  if (fold.kind === 'latest') return latestOf(`s.${metric}`, 's.asn', condition);
  const [name, parameters = ''] =
    fold.kind === 'state' ? (fold.aggregate.split(':') as [string, string?]) : [fold.kind];
  const combinator = (fold.kind === 'state' ? 'Merge' : '') + (condition === undefined ? '' : 'If');
  const column = condition === undefined ? `s.${metric}` : `s.${metric}, ${condition}`;
  return `${name}${combinator}${parameters === '' ? '' : `(${parameters})`}(${column})`;
}

/** Further columns that a table must store to fold a metric. */
export function alsoStored(metric: MetricName): readonly MetricName[] {
  const { fold }: Metric = metrics[metric];
  return fold.kind === 'latest' ? ['last_seen', 'asn'] : [];
}

/** SQL of a column's value in the latest request; deterministic if several have the same time. */
export function latestOf(column: string, tieBreaker: string, condition?: string): string {
  const order = `tuple(s.last_seen, ${tieBreaker})`;
  return condition === undefined
    ? `argMax(${column}, ${order})`
    : `argMaxIf(${column}, ${order}, ${condition})`;
}

/** How a table provides a metric: a stored metric, over the rows that pass every condition. */
export interface Resolved {
  readonly stored: MetricName;
  readonly conditions: readonly { readonly on: DimensionName; readonly passes: Condition }[];
}

/** How a table with these columns provides a metric; null if it cannot. */
export function resolveMetric(
  metric: MetricName,
  holds: { metrics: readonly MetricName[]; dimensions: readonly DimensionName[] },
): Resolved | null {
  if (holds.metrics.includes(metric)) return { stored: metric, conditions: [] };
  const { parts }: Metric = metrics[metric];
  for (const { of, on, passes } of parts) {
    if (!holds.dimensions.includes(on)) continue;
    const whole = resolveMetric(of as MetricName, holds);
    if (whole !== null) return { ...whole, conditions: [...whole.conditions, { on, passes }] };
  }
  return null;
}

/** SQL of a metric's value in the answer. @param alsoWhere a further condition over `s`. */
export function foldedSql(metric: MetricName, { stored, conditions }: Resolved, alsoWhere?: string): string {
  const tests = conditions.map(({ on, passes }) => `(${conditionSql(`s.${on}`, passes)})`);
  const all = [...tests, ...(alsoWhere === undefined ? [] : [alsoWhere])];
  const folded = merged(stored, all.length === 0 ? undefined : all.join(' AND '));
  const definition: Metric = metrics[metric];
  return definition.toAnswer === undefined ? folded : definition.toAnswer(folded);
}
