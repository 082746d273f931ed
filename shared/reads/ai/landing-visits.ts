import { z } from 'zod';
import type { ClickHouseReader } from '../../store/client.js';
import { isLanding, visitDigest } from '../sql/ai-landings.js';
import { inStatusClass } from '../sql/metrics.js';
import { type Scope, scopeClause } from '../sql/scope.js';
import { textBatches } from '../sql/text-batches.js';

/**
 * Visits of people, in total and from AI assistants, read from the single requests: no rollup has the visits that no assistant sent. Both
 * are counted in one pass, so the second is a part of the first, even where addresses are no longer stored.
 */

/** SQL over `requests AS r`: a person requested a page and received it. Rows with the same `visitDigest` are one visit. */
export const isHumanVisit = `${isLanding} AND ${inStatusClass('r.status', 2)}`;

const visitCounts = z.object({ human_visits: z.number(), ai_visits: z.number() });
export type LandingVisits = z.infer<typeof visitCounts>;

interface LandingVisitsQuestion {
  /** Listed pages. */
  readonly paths: readonly string[];
  /** `ai_visits` counts only visits that this operator's assistants sent, ignoring case; undefined: any operator's. */
  readonly operator: string | undefined;
}

interface AllLandingVisits {
  /** Exact; pages without a visit are absent. */
  readonly byPath: ReadonlyMap<string, LandingVisits>;
  /** Visits of all pages. The visits of other pages than the listed ones are an estimate with a standard error of 0.1 %, in one megabyte of state. */
  readonly total: LandingVisits;
}

/** A visit has one page, so that the visits of pages add up. */
export async function readLandingVisits(
  reader: ClickHouseReader,
  scope: Scope,
  { paths, operator }: LandingVisitsQuestion,
): Promise<AllLandingVisits> {
  const [first = [], ...others] = textBatches(paths);
  const rows = await readBatch(reader, scope, { paths: first, operator }, true);
  const total = { human_visits: 0, ai_visits: 0 };
  for (const { human_visits, ai_visits } of rows) {
    total.human_visits += human_visits;
    total.ai_visits += ai_visits;
  }
  for (const batch of others)
    rows.push(...(await readBatch(reader, scope, { paths: batch, operator }, false)));
  return { total, byPath: new Map(rows.filter((row) => row.is_listed === 1).map((row) => [row.path, row])) };
}

/** @param withOthers also one row for all other pages. */
function readBatch(
  reader: ClickHouseReader,
  scope: Scope,
  { paths, operator }: LandingVisitsQuestion,
  withOthers: boolean,
) {
  const rows = scopeClause(scope);
  const isListed = 'r.path IN {landing_paths: Array(String)}';
  const visits = (condition: string) =>
    `if(is_listed, uniqExactIf(${visitDigest}, is_listed${condition}), uniqCombined64If(20)(${visitDigest}, NOT is_listed${condition}))`;
  const isSent =
    operator === undefined ? "r.ai_operator != ''" : 'lower(r.ai_operator) = {landing_operator: String}';
  return reader.read({
    name: 'ai_landing.human_visits',
    sql: `SELECT ${isListed} AS is_listed, if(is_listed, r.path, '') AS path, ${visits('')} AS human_visits, ${visits(` AND ${isSent}`)} AS ai_visits
FROM requests AS r
WHERE ${rows.sql} AND ${isHumanVisit}${withOthers ? '' : ` AND ${isListed}`}
GROUP BY is_listed, path`,
    params: {
      ...rows.params,
      landing_paths: paths,
      ...(operator === undefined ? {} : { landing_operator: operator.toLowerCase() }),
    },
    row: visitCounts.extend({ is_listed: z.number(), path: z.string() }),
  });
}
