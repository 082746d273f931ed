import { z } from 'zod';
import type { ClickHouseReader } from '../../store/client.js';
import { isLanding, visitDigest } from '../sql/ai-landings.js';
import type { Clause } from '../sql/clause.js';
import { inStatusClass } from '../sql/metrics.js';
import { type Scope, scopeClause } from '../sql/scope.js';
import { readByTexts } from '../sql/text-batches.js';

/**
 * Visits of people, in total and from AI assistants, read from the single requests: no rollup has the visits that no assistant sent. Both
 * are counted in one pass, so the second is a part of the first, even where addresses are no longer stored.
 */

/** SQL over `requests AS r`: a person requested a page and received it. Rows with the same `visitDigest` are one visit. */
export const isHumanVisit = `${isLanding} AND ${inStatusClass('r.status', 2)}`;

const visitCounts = z.object({ human_visits: z.number(), ai_visits: z.number() });
export type LandingVisits = z.infer<typeof visitCounts>;

/**
 * Visits of all pages. Large counts are estimates with a standard error of 0.1 %, in one megabyte of state.
 * @param operator `ai_visits` counts only visits that this operator's assistants sent, ignoring case; undefined: any operator's.
 */
export async function readLandingVisits(
  reader: ClickHouseReader,
  scope: Scope,
  operator: string | undefined,
): Promise<LandingVisits> {
  const { sql, params } = visitsOf(scope, operator, (suffix) => `uniqCombined64${suffix}(20)`);
  const [row] = await reader.read({ name: 'ai_landing.all_visits', sql, params, row: visitCounts });
  return row!;
}

/** Exact visits by path. */
export async function readLandingVisitsByPath(
  reader: ClickHouseReader,
  scope: Scope,
  paths: readonly string[],
  operator: string | undefined,
): Promise<ReadonlyMap<string, LandingVisits>> {
  const { sql, params } = visitsOf(scope, operator, (suffix) => `uniqExact${suffix}`, 'r.path AS path, ');
  const rows = await readByTexts(paths, (batch) =>
    reader.read({
      name: 'ai_landing.page_visits',
      sql: `${sql} AND r.path IN {landing_paths: Array(String)}\nGROUP BY r.path`,
      params: { ...params, landing_paths: batch },
      row: visitCounts.extend({ path: z.string() }),
    }),
  );
  return new Map(rows.map((row) => [row.path, row]));
}

/** @param distinct the engine's function, with its suffix for a condition. @param also columns of the SELECT list, followed by a comma. */
function visitsOf(
  scope: Scope,
  operator: string | undefined,
  distinct: (suffix: '' | 'If') => string,
  also = '',
): Clause {
  const rows = scopeClause(scope);
  const isSent =
    operator === undefined ? "r.ai_operator != ''" : 'lower(r.ai_operator) = {landing_operator: String}';
  return {
    sql: `SELECT ${also}${distinct('')}(${visitDigest}) AS human_visits, ${distinct('If')}(${visitDigest}, ${isSent}) AS ai_visits
FROM requests AS r
WHERE ${rows.sql} AND ${isHumanVisit}`,
    params: {
      ...rows.params,
      ...(operator === undefined ? {} : { landing_operator: operator.toLowerCase() }),
    },
  };
}
