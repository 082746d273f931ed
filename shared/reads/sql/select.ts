import type { ClickHouseReader } from '../../store/client.js';
import { unlessTooLong } from '../../store/store-errors.js';
import {
  composeFinest,
  composeLists,
  hasSeparateWindows,
  type ResolvedMetrics,
  type Row,
  resolveMetrics,
  resolvesClaims,
} from './compose-select.js';
import { emptyValues, foldLists, pairWindows } from './fold-lists.js';
import type { ReaderWithHours } from './kept-hours.js';
import { withLateVerdicts } from './late-verdicts.js';
import type { MetricName } from './metrics.js';
import type { Scope } from './scope.js';
import { isTotal, type ListOf, type Selected, type SelectedRow, type Selection } from './selection.js';

/** Rows of each list, sorted by the first metric, descending, then by name; lists over time by time, then by name. */
export async function select<const Given extends Selection>(
  reader: ClickHouseReader,
  scope: Scope,
  selection: Given,
): Promise<Selected<Given>> {
  const [first] = selection.metrics as [MetricName];
  const resolved = resolveMetrics(scope, selection);
  const read = selection.foldedHere ? readFinest : readLists;
  const known = resolvesClaims(scope, selection, resolved) ? await withLateVerdicts(reader, scope) : scope;
  const { keptHours }: ReaderWithHours = reader;
  const found =
    (await keptHours?.listsOf(known, selection, resolved)) ??
    (await read(reader, known, selection, resolved));
  const lists = Object.entries(selection.lists).map(([name, list], index) => {
    const rows = found[index]!.filter(
      (row) => list.withPast || isTotal(list) || Number(row[first]) > 0,
    ).slice(0, selection.limitPer === undefined ? list.limit : undefined);
    return [name, isTotal(list) && rows.length === 0 ? [emptyValues(selection)] : rows];
  });
  return Object.fromEntries(lists);
}

type Question = Omit<Selection, 'lists'>;

/** The rows of a selection of one list. */
export async function selectList<const Given extends Question & ListOf>(
  reader: ClickHouseReader,
  scope: Scope,
  question: Given,
): Promise<SelectedRow<Given, Given>[]> {
  const { list } = await select(reader, scope, {
    ...(question as Question),
    lists: { list: question as ListOf },
  });
  return list as never;
}

/** The single row of totals. */
export async function selectTotal<const Given extends Question>(
  reader: ClickHouseReader,
  scope: Scope,
  question: Given,
): Promise<SelectedRow<Given, { readonly by: readonly [] }>> {
  const [total] = await selectList(reader, scope, { ...(question as Question), by: [] });
  return total as never;
}

/**
 * Maximum rows of a finest grouping: folding them takes this process tens of milliseconds. User agents name bots, so a log may have any
 * number of them.
 */
const MOST_FOLDED = 20_000;
/** Maximum rows of each list if the finest grouping has too many. */
const MOST_LISTED = 10_000;

/** Folds the lists in this process. If there are too many rows, the engine makes the lists, each cut to its greatest rows. */
async function readFinest(
  reader: ClickHouseReader,
  scope: Scope,
  selection: Selection,
  resolved: ResolvedMetrics,
): Promise<Row[][]> {
  const finest = { ...composeFinest(scope, selection, resolved), mostRows: MOST_FOLDED };
  const rows = await unlessTooLong(reader.read(finest));
  if (rows !== null) return foldLists(selection, resolved, rows);
  const lists = Object.entries(selection.lists).map(([name, list]) => [
    name,
    isTotal(list) || list.overTime ? list : { ...list, limit: list.limit ?? MOST_LISTED },
  ]);
  return readLists(reader, scope, { ...selection, lists: Object.fromEntries(lists) }, resolved);
}

async function readLists(
  reader: ClickHouseReader,
  scope: Scope,
  selection: Selection,
  resolved: ResolvedMetrics,
): Promise<Row[][]> {
  const rows = await reader.read(composeLists(scope, selection, resolved));
  const apart = hasSeparateWindows(selection);
  return Object.values(selection.lists).map((list, index) => {
    const rowsOfList = rows.filter((row) => row.list === index);
    return apart ? pairWindows(selection, list, rowsOfList) : rowsOfList;
  });
}
