import { z } from 'zod';
import type { ClickHouseReader } from '../../store/client.js';
import { onPaths } from '../sql/filters.js';
import type { Rollup } from '../sql/read-tables.js';
import type { Scope } from '../sql/scope.js';
import { tableSourceOf } from '../sql/table-source.js';

/**
 * Consistency of the statuses of pages: figures of each path, and the number of paths of each kind. A 304 counts as 2xx, because it
 * confirms the client's copy.
 */

export interface StatusQuestion {
  readonly from: readonly [Rollup, ...Rollup[]];
  /** Minimum requests of a path that is checked. */
  readonly minRequests: number;
  /** Maximum listed paths. */
  readonly limit: number;
}

/**
 * Weight of a request in the impact of its path, by status class; `other`: no status of 200-599, for example because the client left first.
 */
export const impactWeights = { status_3xx: 1, status_4xx: 4, status_5xx: 10, other: 4 } as const;
/** Days after which a fault that has not repeated has half its weight. */
export const HALF_LIFE_DAYS = 7;
/**
 * Discount of the impact of a path that always has one status class, which may be intended; for other paths it is proportional to the share
 * of that class.
 */
export const STEADY_DISCOUNT = 0.5;

/** Minimum shares of a path's requests for critical and warning. */
export const severityRules = { critical5xx: 0.05, criticalErrors: 0.5, warning: 0.05 } as const;

const count = z.number();

const pageRow = z.object({
  path: z.string(),
  requests: count,
  status_2xx: count,
  status_3xx: count,
  status_4xx: count,
  status_5xx: count,
  /** Answered 404 or 410, like removed pages. */
  status_gone: count,
  /** Requests by status: the second list has the count for each status of the first. */
  statuses: z.array(z.number()),
  status_requests: z.array(count),
  /** Milliseconds since the epoch; 0 if every status was 2xx. */
  last_non_2xx: z.number(),
  impact: z.number(),
});
export type StatusPage = z.infer<typeof pageRow>;

const summaryRow = z.object({
  checked: count,
  inconsistent: count,
  faulty: count,
  critical: count,
  warning: count,
  /** Critical pages, without pages that always were answered 404 or 410, because these were removed. */
  unsteady: count,
});
export type StatusSummary = z.infer<typeof summaryRow>;

/** Class of a status; 0 for other. */
const CLASS = 'multiIf(s.status = 304, 2, s.status >= 100 AND s.status < 600, intDiv(s.status, 100), 0)';
const OTHER = 'requests - status_2xx - status_3xx - status_4xx - status_5xx';
const NON_2XX = 'requests - status_2xx';
const CLASSES = `(status_2xx > 0) + (status_3xx > 0) + (status_4xx > 0) + (status_5xx > 0) + (${OTHER} > 0)`;

/** Signed, because the remainder is computed by subtraction. */
const sums = ['2', '3', '4', '5'].map(
  (digit) => `toInt64(sumIf(p.requests, p.class = ${digit})) AS status_${digit}xx`,
);

/**
 * Figures by path, for paths with at least minRequests. @param lists whether to count requests by status, which needs a further grouping.
 */
function pagesOf(scope: Scope, { from, minRequests }: StatusQuestion, lists: boolean) {
  const source = tableSourceOf(from, scope, {
    dimensions: ['path', 'status'],
    metrics: ['requests', 'last_seen'],
    where: [onPaths],
  });
  const statuses = lists
    ? ', groupArray(p.status) AS statuses, groupArray(p.requests) AS status_requests'
    : '';
  return {
    sql: `SELECT p.path AS path, toInt64(sum(p.requests)) AS requests, ${sums.join(', ')},
  toInt64(sumIf(p.requests, p.status IN (404, 410))) AS status_gone, maxIf(p.last_seen, p.class != 2) AS last_non_2xx${statuses}
FROM (
  SELECT s.path AS path, s.status AS status, ${CLASS} AS class, ${lists ? 'sum(s.requests) AS requests' : 's.requests AS requests'},
    ${lists ? 'max(s.last_seen)' : 's.last_seen'} AS last_seen
  FROM (${source.sql}) AS s${lists ? '\n  GROUP BY path, status' : ''}
) AS p
GROUP BY path
HAVING requests >= {min_requests: UInt64}`,
    params: { ...source.params, min_requests: minRequests },
  };
}

/** Paths with any status other than 2xx, greatest impact first. */
export function readStatusPages(
  reader: ClickHouseReader,
  scope: Scope,
  question: StatusQuestion,
): Promise<StatusPage[]> {
  const pages = pagesOf(scope, question, true);
  const { status_3xx, status_4xx, status_5xx, other } = impactWeights;
  const weight = `(${status_3xx} * status_3xx + ${status_4xx} * status_4xx + ${status_5xx} * status_5xx + ${other} * (${OTHER})) / requests`;
  const age = '({window_end: Int64} - toUnixTimestamp64Milli(q.last_non_2xx)) / 86400000';
  const steady = `greatest(status_3xx, status_4xx, status_5xx, ${OTHER}) / requests`;
  const impact = `log2(1 + requests) * ${weight} * exp2(-${age} / ${HALF_LIFE_DAYS}) * (1 - ${STEADY_DISCOUNT} * ${steady})`;
  return reader.read({
    name: 'status_consistency.pages',
    sql: `SELECT path, requests, status_2xx, status_3xx, status_4xx, status_5xx, status_gone, statuses, status_requests,
  toUnixTimestamp64Milli(q.last_non_2xx) AS last_non_2xx, ${impact} AS impact
FROM (${pages.sql}) AS q
WHERE ${NON_2XX} > 0
ORDER BY impact DESC, path
LIMIT {page_limit: UInt32}`,
    params: { ...pages.params, window_end: scope.window.end, page_limit: question.limit },
    row: pageRow,
  });
}

/** Whether `unsteady` of the summary counts the page. */
export function isUnsteady({
  requests,
  status_2xx,
  status_3xx,
  status_5xx,
  status_gone,
}: StatusPage): boolean {
  const { critical5xx, criticalErrors } = severityRules;
  const errors = requests - status_2xx - status_3xx;
  return (
    status_5xx >= critical5xx * requests || (errors >= criticalErrors * requests && status_gone < requests)
  );
}

/** Summary of all paths with at least minRequests, listed or not. */
export async function readStatusSummary(
  reader: ClickHouseReader,
  scope: Scope,
  question: StatusQuestion,
): Promise<StatusSummary> {
  const pages = pagesOf(scope, question, false);
  const { critical5xx, criticalErrors, warning } = severityRules;
  const serverErrors = `status_5xx >= ${critical5xx} * requests`;
  const errors = `requests - status_2xx - status_3xx >= ${criticalErrors} * requests`;
  const critical = `${serverErrors} OR ${errors}`;
  const [summary] = await reader.read({
    name: 'status_consistency.summary',
    sql: `SELECT count() AS checked, countIf(${CLASSES} > 1) AS inconsistent, countIf(${NON_2XX} > 0) AS faulty,
  countIf(${critical}) AS critical,
  countIf(${serverErrors} OR (${errors} AND status_gone < requests)) AS unsteady,
  countIf(NOT (${critical}) AND ${NON_2XX} >= ${warning} * requests) AS warning
FROM (${pages.sql}) AS q`,
    params: pages.params,
    row: summaryRow,
  });
  return summary!;
}
