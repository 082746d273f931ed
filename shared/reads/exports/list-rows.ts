import type { Clause } from '../sql/clause.js';
import { composeLists, resolveMetrics } from '../sql/compose-select.js';
import type { DimensionName } from '../sql/dimensions.js';
import type { Scope } from '../sql/scope.js';
import type { Selection } from '../sql/selection.js';
import { ALL_ROWS } from './figures-sql.js';

/** A statement for all rows of an answer's list: the selection is that of the read, without its limits. */
export function listRows(
  scope: Scope,
  selection: Omit<Selection, 'lists' | 'foldedHere'> & {
    readonly by: readonly DimensionName[];
    readonly overTime?: boolean;
  },
): Clause {
  const { by, overTime = false, ...rest } = selection;
  // A list over time has no previous window.
  const list = overTime ? { by, overTime } : { by, limit: ALL_ROWS };
  const asked = { ...rest, lists: { list } };
  const { sql, params } = composeLists(scope, asked, resolveMetrics(scope, asked));
  return { sql, params };
}
