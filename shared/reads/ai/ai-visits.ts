import type { ClickHouseReader } from '../../store/client.js';
import { VISIT_MINUTES } from '../sql/ai-landings.js';
import { type DimensionFilter, oneOf } from '../sql/filters.js';
import { aiVisits } from '../sql/read-tables.js';
import type { Scope } from '../sql/scope.js';
import { select, selectList } from '../sql/select.js';

/** What a visit is (sql/ai-landings.ts), as answers and their descriptions state it. */
export const visitRule = `A visit is a page (html and the like) that a person whom an AI assistant sent asked for by GET and got (2xx). All requests of one client (address and user agent) for one page in the same ${VISIT_MINUTES} minutes of the clock are one visit. Redirects, 304, other methods and assets are no visits. Landings on an error (4xx, 5xx) are counted apart, by the same rule.`;

/** The landings that are visits; the others are those on an error. */
export const visitsOnly = oneOf('is_error', [0], 'UInt8');

/**
 * Visits and landings on an error, all and of each operator, with the window before. One that two operators sent counts for both, and once
 * in all.
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

/** The pages to which each operator's assistants sent most visitors, at most `limit` of each. */
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
