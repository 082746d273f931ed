import { createHash } from 'node:crypto';
import type { ClickHouseReader, ClickHouseWriter } from '../store/client.js';
import { insertRows } from '../store/insert-rows.js';
import { instant, json, storedFields, text } from '../store/stored-fields.js';
import { type RangeSnapshot, rangeSnapshotSchema } from './table-schema.js';

/** Published address ranges that this installation downloaded, and how each download ended. */

const list = storedFields({ feed: text, since: text, retrieved: text, snapshot: json(rangeSnapshotSchema) });
const check = storedFields({ feed: text, checkedAt: instant, problem: text });

/** How the last download of a feed ended. */
export interface ListCheck {
  readonly feed: string;
  /** Milliseconds since the epoch. */
  readonly checkedAt: number;
  /** Why its list was not taken; '' where it was. */
  readonly problem: string;
}

/** Every list, oldest first. @throws as `ClickHouseReader.read` */
export async function readCrawlerLists(reader: ClickHouseReader): Promise<RangeSnapshot[]> {
  const rows = await reader.read({
    name: 'crawler_lists.all',
    sql: `SELECT l.snapshot AS snapshot FROM crawler_lists AS l FINAL ORDER BY l.feed, l.since`,
    params: {},
    row: list.row.pick({ snapshot: true }),
  });
  return rows.map(({ snapshot }) => snapshot);
}

/** It replaces the row of the same list. @param now milliseconds since the epoch. @throws as `ClickHouseWriter.insert` */
export async function insertCrawlerList(
  writer: ClickHouseWriter,
  snapshot: RangeSnapshot,
  now: number,
): Promise<void> {
  const { feed, retrieved, since = retrieved } = snapshot;
  await insertRows(writer, {
    table: 'crawler_lists',
    rows: [list.toRow({ feed, since, retrieved, snapshot })],
    // An operator may publish twice a day, and a row must win over one that a clock ahead wrote in between.
    deduplicationToken: `crawler_lists/${feed}/${since}/${retrieved}/${digestOf(snapshot)}/${now}`,
  });
}

function digestOf(snapshot: RangeSnapshot): string {
  return createHash('sha256').update(JSON.stringify(snapshot)).digest('hex').slice(0, 16);
}

/** One for each feed that was ever asked. @throws as `ClickHouseReader.read` */
export function readListChecks(reader: ClickHouseReader): Promise<ListCheck[]> {
  return reader.read({
    name: 'crawler_list_checks.all',
    sql: `SELECT ${check.columns('c.')} FROM crawler_list_checks AS c FINAL ORDER BY feed`,
    params: {},
    row: check.row,
  });
}

/** It replaces the feed's earlier check. @throws as `ClickHouseWriter.insert` */
export async function insertListCheck(writer: ClickHouseWriter, one: ListCheck): Promise<void> {
  await insertRows(writer, {
    table: 'crawler_list_checks',
    rows: [check.toRow({ ...one })],
    deduplicationToken: `crawler_list_checks/${one.feed}/${one.checkedAt}`,
  });
}
