import type { ClickHouseReader } from '../clickhouse/client.js';
import type { DimensionFilter } from '../queries/filters.js';
import { aiVisits } from '../queries/rollups.js';
import type { Scope } from '../queries/scope.js';
import { selectList } from '../queries/select.js';

/** A visit is a human request whose referring host or utm_source names an AI assistant (the enricher's rule: steps/classify-referrer.ts). */

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
    metrics: ['requests'],
    where,
  });
}
