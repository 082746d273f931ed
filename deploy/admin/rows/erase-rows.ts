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
 * owner of a row, so that a table of a later migration is covered; a test checks that each table has such a column.
 *
 * Rows are deleted by mutations that are waited for, on every replica. The engine keeps the text of a mutation, so personal data
 * is in the table `erasing`, never in the text. Each step can be repeated after a crash: the rows that name the rollups to make
 * again are deleted last.
 */

/** Whose rows: each row of a table that has one of the columns, with one of the values in it. */
export interface Owners {
  readonly website_id: readonly string[];
  readonly organisation_id: readonly string[];
  readonly api_key_id: readonly string[];
}

/** An address, and the website that it is to be erased for; null: all of them. */
export interface ErasedAddress {
  /** Plain, as `normaliseClientIp` gives it. */
  readonly address: string;
  readonly websiteId: string | null;
}

export interface EraseOptions extends RebuildOptions {
  readonly logger: Logger;
}

/** Rows to go, by table. Rollups that are made again are not counted. */
export type RowCounts = Readonly<Record<string, number>>;

export interface StoredTable {
  readonly table: string;
  readonly columns: readonly { readonly name: string; readonly type: string }[];
}

const ownerColumns = ['website_id', 'organisation_id', 'api_key_id'] as const;

/** They hold copies of what others hold and are made anew: emptied whole, whoever is erased. */
const emptiedTables: readonly string[] = ['control_snapshots', 'erasing'];
/** Nothing of a customer's. */
const ownTables: readonly string[] = ['schema_migrations', 'crawler_lists', 'crawler_list_checks'];

/** Values in one statement: they are pasted into it on the embedded engine, whose text may be 256 KiB. */
const VALUES_PER_STATEMENT = 200;
const SYNCED = { mutations_sync: 2 };
/** Of one that looks up whom it is about. */
const MUTATION = { ...SYNCED, allow_nondeterministic_mutations: 1 };

/** Every table that holds rows, with its columns. */
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

/** Whether a table needs no look when somebody is erased, or is looked at by a column that it has. */
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

/** Tables that a count names: those with rows, or all that were looked at. */
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

/** Entries of timelines made with API keys, by how they name them; of these organisations alone, since names are anybody's. */
export interface KeyTexts {
  readonly organisationIds: readonly string[];
  readonly keyNames: readonly string[];
}

/** @param names SQL of a list, or of a statement that gives one. */
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

/** The entries stay without what was written in them, as the log tells them from then on. @returns how many they were. */
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

/** The row of an erasure that runs. */
const NOTED = 'erasing WHERE erasure_id = {erasure: String}';

/** @param noted what mutations of the erasure look up. */
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

/** How a statement names an address: by its parameters, or by what was noted of its erasure. */
const bound = { ip: 'toIPv6({address: String})', naming: '{naming: String}' } as const;
const noted = { ip: `(SELECT client_ip FROM ${NOTED})`, naming: `(SELECT naming FROM ${NOTED})` } as const;

/** What goes for an address: its requests, what was found out about it, and texts of others that name it. @param erasure noted; null: only counted */
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
      // Rollups are made again, and nothing is deleted from them: those that hold addresses are looked at afterwards alone.
      .filter(
        ({ table, columns }) =>
          !rollups.has(table) || (which === 'all' && columns.some(({ type }) => type === 'IPv6')),
      )
      .flatMap(({ table, columns }): Deletion[] => {
        // Rows of no website are not about the requests of one.
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
 * Deletes the requests of an address and makes the rollups of their days again without them: their states of distinct
 * addresses hold hashes of it, which can't be taken out singly. Rollups first: the rows tell which are concerned.
 * @throws as `eraseOwned`, and under the same condition as `rebuildRollups`.
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
