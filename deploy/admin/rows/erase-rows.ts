import { z } from 'zod';
import { SECOND_MS } from '../../../shared/durations.js';
import type { Logger } from '../../../shared/logging/log.js';
import { inPieces } from '../../../shared/pacing/in-pieces.js';
import { namingAddress } from '../../../shared/personal-data/naming-address.js';
import type { ClickHouse, ClickHouseReader, Query } from '../../../shared/store/client.js';
import { insertRows } from '../../../shared/store/insert-rows.js';
import { bucketsOf, quoted, type RebuildOptions, rebuildRollups } from './rebuild-rollups.js';
import { findRollups } from './rollup-tables.js';

/**
 * Deletes the rows of owners, or of an address, from every table. Tables are found in the schema by the columns that name the
 * owner of a row, so tables of later migrations are covered. A test checks that each table has such a column.
 *
 * Rows are deleted by mutations, and each step waits for them on every replica. The engine keeps the text of a mutation, so
 * personal data is in the table `erasing`, never in the text. Each step can be repeated after a crash: the rows that determine
 * the rollups to rebuild are deleted last.
 */

/** Selects the rows whose value in one of the columns is listed. */
export interface Owners {
  readonly website_id: readonly string[];
  readonly organisation_id: readonly string[];
  readonly api_key_id: readonly string[];
}

/** An address, and the website to erase it for; null: all websites. */
export interface ErasedAddress {
  /** Plain text, as `normaliseClientIp` returns it. */
  readonly address: string;
  readonly websiteId: string | null;
}

export interface EraseOptions extends RebuildOptions {
  readonly logger: Logger;
}

/** Rows to delete, by table. Rebuilt rollups are not counted. */
export type RowCounts = Readonly<Record<string, number>>;

export interface StoredTable {
  readonly table: string;
  readonly columns: readonly { readonly name: string; readonly type: string }[];
}

const ownerColumns = ['website_id', 'organisation_id', 'api_key_id'] as const;

/** Copies of other data that are created again. Every erasure empties them completely. */
const emptiedTables: readonly string[] = ['control_snapshots', 'erasing'];
/** Tables without customer data. */
const ownTables: readonly string[] = ['schema_migrations', 'crawler_lists', 'crawler_list_checks'];

/** Values in one statement. The embedded engine has them in the statement's text, which is limited to 256 KiB. */
const VALUES_PER_STATEMENT = 200;
const SYNCED = { mutations_sync: 2 };
/** Settings of a mutation that reads the subject from the table `erasing`. */
const MUTATION = { ...SYNCED, allow_nondeterministic_mutations: 1 };

/** Every table with stored rows, and its columns. */
export async function findTables(reader: ClickHouseReader): Promise<StoredTable[]> {
  const rows = await reader.read({
    name: 'erase.tables',
    sql: `SELECT table, groupArray(name) AS names, groupArray(type) AS types
FROM system.columns
WHERE database = currentDatabase()
  AND table IN (SELECT name FROM system.tables WHERE database = currentDatabase() AND engine LIKE '%MergeTree')
GROUP BY table ORDER BY table`,
    params: {},
    row: z.object({ table: z.string(), names: z.array(z.string()), types: z.array(z.string()) }),
  });
  return rows.map(({ table, names, types }) => ({
    table,
    columns: names.map((name, index) => ({ name, type: types[index]! })),
  }));
}

/** Whether an erasure covers the table: by a known column, or because it has no customer data. */
export function isCovered({ table, columns }: StoredTable): boolean {
  if (emptiedTables.includes(table) || ownTables.includes(table)) return true;
  return columns.some(({ name }) => (ownerColumns as readonly string[]).includes(name));
}

const counted = z.object({ rows: z.number() });

interface Deletion {
  readonly table: string;
  readonly where: string;
  readonly params: Query<unknown>['params'];
}

async function ownerDeletions(reader: ClickHouseReader, owners: Owners): Promise<Deletion[]> {
  return (await findTables(reader)).flatMap(({ table, columns }) => {
    const present = ownerColumns.filter((owner) => columns.some(({ name }) => name === owner));
    const pieces = present.map((owner) => inPieces(owners[owner], VALUES_PER_STATEMENT));
    return Array.from(
      { length: Math.max(0, ...pieces.map(({ length }) => length)) },
      (_, index): Deletion => {
        const named = present.filter((_owner, at) => pieces[at]![index] !== undefined);
        return {
          table,
          where: named.map((owner) => `${owner} IN ({${owner}s: Array(String)})`).join(' OR '),
          params: Object.fromEntries(
            named.map((owner) => [`${owner}s`, pieces[present.indexOf(owner)]![index]!]),
          ),
        };
      },
    );
  });
}

export async function countOwned(
  reader: ClickHouseReader,
  owners: Owners,
  which?: CountedTables,
): Promise<RowCounts> {
  return countRows(reader, await ownerDeletions(reader, owners), which);
}

/** Tables in a count: those with rows, or all counted tables. */
export type CountedTables = 'with rows' | 'all';

async function countRows(
  reader: ClickHouseReader,
  deletions: readonly Deletion[],
  which: CountedTables = 'with rows',
): Promise<RowCounts> {
  const counts = new Map<string, number>();
  for (const { table, where, params } of deletions) {
    const [found] = await reader.read({
      name: 'erase.count',
      sql: `SELECT count() AS rows FROM ${table} WHERE ${where}`,
      params,
      row: counted,
    });
    if (found!.rows > 0 || which === 'all') counts.set(table, (counts.get(table) ?? 0) + found!.rows);
  }
  return Object.fromEntries(counts);
}

/**
 * Deletes every row of the owners. @returns counts of deleted rows by table.
 * @throws StoreUnavailableError, StoreTimeoutError, Error: repeat it.
 */
export async function eraseOwned(
  clickhouse: ClickHouse,
  owners: Owners,
  { logger }: Pick<EraseOptions, 'logger'>,
): Promise<RowCounts> {
  const deletions = await ownerDeletions(clickhouse, owners);
  const counts = await countRows(clickhouse, deletions);
  for (const { table, where, params } of deletions)
    if (Object.hasOwn(counts, table))
      await clickhouse.command(`ALTER TABLE ${table} DELETE WHERE ${where}`, params, SYNCED);
  await emptyCopies(clickhouse);
  logger.info({ rows: counts }, 'rows erased');
  return counts;
}

/** Selects timeline entries by the names of API keys, only in these organisations: others may use the same names. */
export interface KeyTexts {
  readonly organisationIds: readonly string[];
  readonly keyNames: readonly string[];
}

/** @param names SQL of a list, or of a subquery that returns one. */
const ofKeys = (names: string) =>
  `organisation_id IN ({organisations: Array(String)}) AND created_by IN (${names})`;

const keyPieces = ({ organisationIds, keyNames }: KeyTexts) =>
  inPieces(keyNames, 20).map((names) => ({ names, organisations: organisationIds }));

export async function countTexts(reader: ClickHouseReader, texts: KeyTexts): Promise<number> {
  let entries = 0;
  for (const params of keyPieces(texts)) {
    const sql = `SELECT count() AS rows FROM site_events FINAL WHERE ${ofKeys('{names: Array(String)}')}`;
    const [found] = await reader.read({ name: 'erase.texts', sql, params, row: counted });
    entries += found!.rows;
  }
  return entries;
}

/** Removes the texts of the entries, as in the rewritten log. @returns the number of changed entries. */
export async function eraseTexts(
  clickhouse: ClickHouse,
  texts: KeyTexts,
  { newId }: Pick<EraseOptions, 'newId'>,
): Promise<number> {
  const entries = await countTexts(clickhouse, texts);
  for (const { names, organisations } of keyPieces(texts)) {
    const erasure = newId();
    await noteErasure(clickhouse, erasure, { texts: names });
    await clickhouse.command(
      `ALTER TABLE site_events UPDATE created_by = '[erased]', title = '[erased]', category = '', description = ''
WHERE ${ofKeys(`SELECT arrayJoin(texts) FROM ${NOTED}`)}`,
      { organisations, erasure },
      MUTATION,
    );
  }
  await emptyCopies(clickhouse);
  return entries;
}

/** The row of a running erasure. */
const NOTED = 'erasing WHERE erasure_id = {erasure: String}';

/** Stores the subject for the mutations of the erasure. @param noted the values that mutations look up. */
function noteErasure(
  clickhouse: ClickHouse,
  erasure: string,
  { address, texts = [] }: { readonly address?: string; readonly texts?: readonly string[] },
): Promise<void> {
  return insertRows(clickhouse, {
    table: 'erasing',
    rows: [
      {
        erasure_id: erasure,
        client_ip: address === undefined ? '::' : address,
        naming: address === undefined ? '' : namingAddress(address),
        texts: [...texts],
        written_at: Math.floor(Date.now() / SECOND_MS),
      },
    ],
    deduplicationToken: `erasing/${erasure}`,
  });
}

async function emptyCopies(clickhouse: ClickHouse): Promise<void> {
  for (const table of emptiedTables) await clickhouse.command(`TRUNCATE TABLE IF EXISTS ${table}`);
}

/** SQL of an address in a statement: by parameters, or by the row of its erasure. */
const bound = { ip: 'toIPv6({address: String})', naming: '{naming: String}' } as const;
const noted = { ip: `(SELECT client_ip FROM ${NOTED})`, naming: `(SELECT naming FROM ${NOTED})` } as const;

/** Rows to delete for an address: its requests, data derived from it, and texts that name it. @param erasure its id in `erasing`; null: only count */
async function addressDeletions(
  reader: ClickHouseReader,
  erased: ErasedAddress,
  {
    which = 'with rows',
    erasure = null,
  }: { which?: CountedTables | undefined; erasure?: string | null } = {},
): Promise<Deletion[]> {
  const { ip, naming } = erasure === null ? bound : noted;
  const rollups = new Set(
    (await findRollups(reader)).flatMap(({ target, fed }) => [target, ...fed.map((one) => one.target)]),
  );
  const { address, websiteId } = erased;
  const of = erasure === null ? { address, naming: namingAddress(address) } : { erasure };
  const params = { ...of, website: websiteId ?? '' };
  return (
    (await findTables(reader))
      .filter(({ table }) => !emptiedTables.includes(table) && !ownTables.includes(table))
      // Rollups are rebuilt, so nothing is deleted from them. Rollups with addresses are only counted afterwards.
      .filter(
        ({ table, columns }) =>
          !rollups.has(table) || (which === 'all' && columns.some(({ type }) => type === 'IPv6')),
      )
      .flatMap(({ table, columns }): Deletion[] => {
        // Tables without a website have no rows about the requests of one.
        if (websiteId !== null && !columns.some(({ name }) => name === 'website_id')) return [];
        const narrowed = websiteId === null ? '' : ' AND website_id = {website: String}';
        const addresses = columns.filter(({ type }) => type === 'IPv6');
        const named =
          addresses.length > 0
            ? addresses.map(({ name }) => `${name} = ${ip}`)
            : columns.filter(({ type }) => type === 'String').map(({ name }) => `match(${name}, ${naming})`);
        return named.length === 0 ? [] : [{ table, where: `(${named.join(' OR ')})${narrowed}`, params }];
      })
      .sort((one, other) => Number(one.table === 'requests') - Number(other.table === 'requests'))
  );
}

export async function countOfAddress(
  reader: ClickHouseReader,
  erased: ErasedAddress,
  which?: CountedTables,
): Promise<RowCounts> {
  return countRows(reader, await addressDeletions(reader, erased, { which }), which);
}

/**
 * Deletes the requests of an address, and rebuilds the rollups of their days without them: states of distinct addresses
 * contain its hash, and a single hash can't be removed. Rollups come first, because the rows show the affected days.
 * The condition of `rebuildRollups` on inserts applies. @throws as `eraseOwned`.
 */
export async function eraseAddress(
  clickhouse: ClickHouse,
  erased: ErasedAddress,
  options: EraseOptions,
): Promise<RowCounts> {
  const erasure = options.newId();
  await noteErasure(clickhouse, erasure, { address: erased.address });
  const deletions = await addressDeletions(clickhouse, erased, { erasure });
  const counts = await countRows(clickhouse, deletions);
  const { address, websiteId } = erased;
  const ofWebsite = websiteId === null ? '' : ' AND website_id = {website: String}';
  const buckets = await bucketsOf(clickhouse, `client_ip = toIPv6({address: String})${ofWebsite}`, {
    address,
    website: websiteId ?? '',
  });
  await rebuildRollups(clickhouse, buckets, {
    ...options,
    without: `client_ip = toIPv6(${quoted(address)})`,
  });
  for (const { table, where, params } of deletions)
    if (Object.hasOwn(counts, table))
      await clickhouse.command(`ALTER TABLE ${table} DELETE WHERE ${where}`, params, MUTATION);
  await emptyCopies(clickhouse);
  options.logger.info({ rows: counts, days: buckets.length }, 'address erased');
  return counts;
}
