import type { ClickHouseReader } from '../../store/client.js';
import { VISIT_MINUTES } from '../sql/ai-landings.js';
import { type DimensionFilter, oneOf } from '../sql/filters.js';
import { aiVisits } from '../sql/read-tables.js';
import type { Scope } from '../sql/scope.js';
import { select, selectList } from '../sql/select.js';

/** The definition of a visit (sql/ai-landings.ts), as answers and their descriptions state it. */
export const visitRule = `A visit is a page (HTML or a similar type) that a person sent by an AI assistant requested by GET and received (2xx). All requests of one client (address and user agent) for one page in the same ${VISIT_MINUTES} minutes of the clock are one visit. Redirects, 304, other methods and assets are not visits. Landings on an error (4xx, 5xx) are counted separately by the same rule.`;

/** Excludes landings on an error. All other landings are visits. */
export const visitsOnly = oneOf('is_error', [0], 'UInt8');

/**
 * Visits and landings on an error, in total and by operator, with the previous window. A visit that two operators sent counts for both, and
 * once in the total.
 */
export async function readLandings(
  reader: ClickHouseReader,
  scope: Scope,
  name: string,
  where: readonly DimensionFilter[] = [],
) {
  const { total, operators } = await select(reader, scope, {
    name,
    from: [aiVisits],
    lists: {
      total: { by: ['is_error'], withPast: true },
      operators: { by: ['ai_operator', 'is_error'], withPast: true },
    },
    metrics: ['visits'],
    previous: ['visits'],
    distinct: ['path'],
    where,
  });
  const landings = (isError: number) => ({
    total: total.find((row) => row.is_error === isError) ?? nothing,
    operators: operators.filter((row) => row.is_error === isError),
  });
  return { visits: landings(0), errors: landings(1) };
}

const nothing = { visits: 0, previous_visits: 0, distinct_path: 0 };

/** The pages with the most visits from each operator's assistants, at most `limit` pages of each operator. */
export function readTopLandings(
  reader: ClickHouseReader,
  scope: Scope,
  limit: number,
  where: readonly DimensionFilter[] = [],
) {
  return selectList(reader, scope, {
    name: 'ai_visits.top_landings',
    from: [aiVisits],
    by: ['ai_operator', 'path'],
    limit,
    limitPer: 'ai_operator',
    metrics: ['visits'],
    where: [visitsOnly, ...where],
  });
}
