import type { Query } from '../../../shared/store/client.js';

/** The same query. When its answer has arrived, its statistics also go to `report`. */
export function alsoReport<Row>(
  query: Query<Row>,
  report: NonNullable<Query<unknown>['report']>,
): Query<Row> {
  return {
    ...query,
    report(statistics) {
      report(statistics);
      query.report?.(statistics);
    },
  };
}
