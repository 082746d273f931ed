import { expect, it } from 'vitest';
import { DAY_MS } from '../../durations.js';
import { inTurns } from '../../pacing/turns.js';
import { crawlerQueries, type Rollup, traffic } from '../sql/read-tables.js';
import { createColumns } from './columns.js';
import { createDictionaries } from './dictionary.js';
import { type ColumnName, keptRollupOf, type Value } from './kept-rollups.js';
import { packBlock, type RowBlock } from './row-block.js';

/** A block whose rows have these values; the other columns are empty. */
function blockOf(rollup: Rollup, given: Partial<Record<ColumnName, readonly Value[]>>): Promise<RowBlock> {
  const kept = keptRollupOf(rollup)!;
  const [{ length }] = Object.values(given) as [readonly Value[]];
  const none = Array.from({ length }, () => '');
  const rows = {
    columns: new Map(kept.columns.map((name) => [name, { codes: null, values: given[name] ?? none }])),
    figures: new Map(kept.metrics.map((name) => [name, none.map(() => 1)])),
    ...{ states: new Map(), from: 0, to: length },
  };
  const head = { start: 0, unit: DAY_MS, versions: [0], expiresAt: [Number.POSITIVE_INFINITY] };
  return inTurns(packBlock(kept, head, [rows], createDictionaries()), async () => {});
}

const columnsOf = (rollup: Rollup, block: RowBlock) =>
  createColumns({ kept: keptRollupOf(rollup)!, filters: [], verdictOf: new Map() }, [block]);

it('gives rows of different values one code if a derived value of them is equal', async () => {
  const block = await blockOf(traffic, { status: [200, 404, 204, 410] });
  const { values, codesIn } = columnsOf(traffic, block).shared('status_class');
  expect(values).toEqual([2, 4]);
  const { codes, map } = codesIn(block);
  expect(Array.from(codes, (code) => map![code])).toEqual([0, 1, 0, 1]);
});

it('cuts paths and queries as the engine does, between characters of queries and between bytes of paths', async () => {
  const [path, query] = [`/${'é'.repeat(499)}`, '𝄞'.repeat(500)];
  const block = await blockOf(crawlerQueries, {
    path: [`${path}xy`, `${path}z`, '/'],
    query: [query, `${query}a`, 'b'],
  });
  const { shared } = columnsOf(crawlerQueries, block);
  expect(shared('path_start').values).toEqual([`${path}x`, `${path}z`, '/']);
  expect(shared('query_start').values).toEqual([query, 'b']);
  expect(shared('query').values).toEqual([query, `${query}a`, 'b']);
});
