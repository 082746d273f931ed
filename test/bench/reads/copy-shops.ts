import { z } from 'zod';
import type { ClickHouse } from '../../../shared/store/client.js';
import { DAYS } from './calls.js';
import type { Shop } from './shops.js';

/** A copy of the first website's rows. */
export interface Copy {
  readonly shop: Shop;
  /** Days by which the requests are earlier; 0: also the crawl, the site files and the daily build are copied. */
  readonly daysEarlier: number;
}

/** No read goes back so far: the longest fixed windows have 90 days. */
const FIRST_EARLIER_DAYS = 105;

/**
 * The copies for a table of this many rows: first the other websites, then earlier days of all.
 * @param rowsOfShop of the first website
 */
export function copiesFor(shops: readonly Shop[], rows: number, rowsOfShop: number): Copy[] {
  const copies: Copy[] = [];
  for (let index = 1; (index + 1) * rowsOfShop <= rows; index++) {
    const round = Math.floor(index / shops.length);
    const daysEarlier = round === 0 ? 0 : FIRST_EARLIER_DAYS + (round - 1) * DAYS;
    copies.push({ shop: shops[index % shops.length]!, daysEarlier });
  }
  return copies;
}

/** Rows of one insert: few parts, and the engine's memory is enough. */
const INSERTED_ROWS = 300_000;
const settings = {
  max_block_size: 262_144,
  min_insert_block_size_rows: INSERTED_ROWS,
  min_insert_block_size_bytes: 512 * 1024 ** 2,
  max_insert_threads: 2,
};

/** State of services. Job runs are copied, so the jobs of each website do not start at once. */
const notCopied: ReadonlySet<string> = new Set(['upload_blocks', 'detector_arrivals', 'alerts']);

/**
 * Copies the first website's rows of all tables, rollups included. They are attached as finished partitions: an insert would make the
 * views aggregate the same rows again for each copy.
 */
export async function copyShops(
  clickhouse: ClickHouse,
  [first]: readonly Shop[],
  copies: readonly Copy[],
  progress: (text: string) => void,
): Promise<void> {
  for (const table of await namesOf(clickhouse)) {
    if (notCopied.has(table)) continue;
    const columns = await columnsOf(clickhouse, table);
    if (!columns.has('website_id')) continue;
    const time = ['timestamp', 'hour', 'day'].find((name) => columns.has(name) && isTraffic(table));
    const own = time === undefined ? copies.filter(({ daysEarlier }) => daysEarlier === 0) : copies;
    const rows = await countOf(clickhouse, table, first!.websiteId, time);
    if (rows === 0 || own.length === 0) continue;
    progress(`copying ${rows} rows of ${table} ${own.length} times`);
    const target = `${table}_copies`;
    await clickhouse.command(`CREATE TABLE ${target} AS ${table}`);
    const atOnce = Math.max(1, Math.floor(INSERTED_ROWS / rows));
    for (let next = 0; next < own.length; next += atOnce) {
      const some = own.slice(next, next + atOnce);
      await clickhouse.command(
        copySql({ table, target, columns, first: first!, time, copies: some }),
        {},
        settings,
      );
    }
    for (const partition of await partitionsOf(clickhouse, target))
      await clickhouse.command(`ALTER TABLE ${table} ATTACH PARTITION ID '${partition}' FROM ${target}`);
    await clickhouse.command(`DROP TABLE ${target} SYNC`);
  }
}

const isTraffic = (table: string) => table === 'requests' || /_per_(hour|day)$/.test(table);

interface Copying {
  readonly table: string;
  readonly target: string;
  readonly columns: ReadonlySet<string>;
  readonly first: Shop;
  readonly time: string | undefined;
  readonly copies: readonly Copy[];
}

/** Expiry is by the time of receipt, which the copies have in common. */
function copySql({ table, target, columns, first, time, copies }: Copying): string {
  const list = copies.map(
    ({ shop, daysEarlier }) =>
      `('${shop.websiteId}', '${shop.crawlId}', '${shop.searchSourceId}', '${shop.analyticsSourceId}', ${daysEarlier})`,
  );
  const replaced = [
    'copy.1 AS website_id',
    columns.has('crawl_id') ? 'copy.2 AS crawl_id' : '',
    columns.has('source_id') ? `if(source_id = '${first.searchSourceId}', copy.3, copy.4) AS source_id` : '',
    time === undefined ? '' : `${time} - toIntervalDay(copy.5) AS ${time}`,
  ];
  return `INSERT INTO ${target} SELECT * EXCEPT copy REPLACE (${replaced.filter(Boolean).join(', ')})
    FROM (SELECT * FROM ${table} WHERE ${ownRows(first.websiteId, time)})
    ARRAY JOIN [${list.join(', ')}] AS copy`;
}

/** The first website's own rows, without its earlier copies. */
const ownRows = (websiteId: string, time: string | undefined) =>
  `website_id = '${websiteId}'${time === undefined ? '' : ` AND ${time} > now() - toIntervalDay(${FIRST_EARLIER_DAYS - DAYS})`}`;

async function namesOf(clickhouse: ClickHouse): Promise<string[]> {
  const rows = await clickhouse.read({
    name: 'bench.tables',
    sql: `SELECT name FROM system.tables WHERE database = currentDatabase() AND engine LIKE '%MergeTree' ORDER BY name`,
    params: {},
    row: z.object({ name: z.string() }),
  });
  return rows.map(({ name }) => name);
}

async function partitionsOf(clickhouse: ClickHouse, table: string): Promise<string[]> {
  const rows = await clickhouse.read({
    name: 'bench.partitions',
    sql: `SELECT DISTINCT partition_id AS id FROM system.parts
WHERE database = currentDatabase() AND table = {table: String} AND active`,
    params: { table },
    row: z.object({ id: z.string() }),
  });
  return rows.map(({ id }) => id);
}

async function columnsOf(clickhouse: ClickHouse, table: string): Promise<Set<string>> {
  const rows = await clickhouse.read({
    name: 'bench.columns',
    sql: `SELECT name FROM system.columns WHERE database = currentDatabase() AND table = {table: String}`,
    params: { table },
    row: z.object({ name: z.string() }),
  });
  return new Set(rows.map(({ name }) => name));
}

async function countOf(clickhouse: ClickHouse, table: string, websiteId: string, time: string | undefined) {
  const [row] = await clickhouse.read({
    name: 'bench.count',
    sql: `SELECT count() AS n FROM ${table} WHERE ${ownRows(websiteId, time)}`,
    params: {},
    row: z.object({ n: z.number() }),
  });
  return row?.n ?? 0;
}
