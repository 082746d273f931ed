import { z } from 'zod';
import type { ClickHouseReader } from '../../../shared/store/client.js';

/** A materialized view over `requests`, and the table that it fills. */
export interface RollupView {
  readonly view: string;
  readonly target: string;
  /** The view's query, over every row of `requests`. */
  readonly select: string;
  /** Names of the query's columns, which are columns of the target. */
  readonly columns: readonly string[];
  /** `hour` (DateTime) or `day` (Date): the column of the bucket. */
  readonly bucket: 'hour' | 'day';
  /** Whether it has states of distinct addresses or clients. Rows without addresses can't rebuild these states. */
  readonly countsAddresses: boolean;
  /** Tables that views fill from the target at each insert. */
  readonly fed: readonly { readonly target: string; readonly bucket: 'hour' | 'day' }[];
}

const viewRow = z.object({
  name: z.string(),
  as_select: z.string(),
  create_table_query: z.string(),
  columns: z.array(z.string()),
});
const sourceRow = z.object({ name: z.string(), views: z.array(z.string()) });

/** Columns with states computed from addresses. */
const OF_ADDRESSES = new Set(['client_ips', 'visits']);

/** ` TO database.table (` in a view's own text. The names come from the migrations and are never quoted. */
const TARGET = / TO (?:\w+\.)?(\w+)\b/;

/**
 * Finds every rollup of `requests` in the schema, so views of later migrations are included.
 * @throws Error if a view has neither hour nor day, or its target can't be determined.
 */
export async function findRollups(reader: ClickHouseReader): Promise<RollupView[]> {
  const views = await reader.read({
    name: 'rollups.views',
    sql: `SELECT name, as_select, create_table_query,
  (SELECT groupArray((table, name)) FROM system.columns WHERE database = currentDatabase()) AS every_column,
  arrayMap(pair -> pair.2, arrayFilter(pair -> pair.1 = tables.name, every_column)) AS columns
FROM system.tables AS tables
WHERE database = currentDatabase() AND engine = 'MaterializedView'
ORDER BY name`,
    params: {},
    row: viewRow,
  });
  const sources = await reader.read({
    name: 'rollups.sources',
    sql: `SELECT name, arraySort(dependencies_table) AS views
FROM system.tables
WHERE database = currentDatabase() AND notEmpty(dependencies_table)`,
    params: {},
    row: sourceRow,
  });
  const viewsOf = new Map(sources.map(({ name, views }) => [name, views]));
  const viewByName = new Map(views.map((view) => [view.name, describeView(view)]));
  const over = (table: string) => (viewsOf.get(table) ?? []).map((view) => viewByName.get(view)!);
  const fedBy = (table: string): RollupView['fed'] =>
    over(table).flatMap(({ target, bucket }) => [{ target, bucket }, ...fedBy(target)]);
  return over('requests').map((view) => ({ ...view, fed: fedBy(view.target) }));
}

function describeView({ name, as_select, create_table_query, columns }: z.infer<typeof viewRow>) {
  const target = TARGET.exec(create_table_query)?.[1];
  if (target === undefined) throw new Error(`rollup ${name}: its target table can't be determined`);
  const bucket = (['hour', 'day'] as const).find((column) => columns.includes(column));
  if (bucket === undefined) throw new Error(`rollup ${name}: it has neither hour nor day`);
  return {
    view: name,
    target,
    select: as_select,
    columns,
    bucket,
    countsAddresses: columns.some((column) => OF_ADDRESSES.has(column)),
  };
}
