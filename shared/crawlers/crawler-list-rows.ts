import { createHash } from 'node:crypto';
import type { ClickHouseReader, ClickHouseWriter } from '../store/client.js';
import { insertRows } from '../store/insert-rows.js';
import { instant, json, storedFields, text } from '../store/stored-fields.js';
import { type RangeSnapshot, rangeSnapshotSchema } from './table-schema.js';

/** Published address ranges that this installation downloaded, and the result of each download. */

const list = storedFields({ feed: text, since: text, retrieved: text, snapshot: json(rangeSnapshotSchema) });
const check = storedFields({ feed: text, checkedAt: instant, problem: text });

/** Result of the last download of a feed. */
export interface ListCheck {
  readonly feed: string;
  /** Milliseconds since the epoch. */
  readonly checkedAt: number;
  /** Why the list was refused; '': it was accepted. */
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

/** Replaces the row of the same list. @param now milliseconds since the epoch. @throws as `ClickHouseWriter.insert` */
export async function insertCrawlerList(
  writer: ClickHouseWriter,
  snapshot: RangeSnapshot,
  now: number,
): Promise<void> {
  const { feed, retrieved, since = retrieved } = snapshot;
  await insertRows(writer, {
    table: 'crawler_lists',
    rows: [list.toRow({ feed, since, retrieved, snapshot })],
    // `now`: an operator may publish twice a day, and this row must replace one of a process whose clock was ahead.
    deduplicationToken: `crawler_lists/${feed}/${since}/${retrieved}/${digestOf(snapshot)}/${now}`,
  });
}

function digestOf(snapshot: RangeSnapshot): string {
  return createHash('sha256').update(JSON.stringify(snapshot)).digest('hex').slice(0, 16);
}

/** One per feed that was ever downloaded. @throws as `ClickHouseReader.read` */
export function readListChecks(reader: ClickHouseReader): Promise<ListCheck[]> {
  return reader.read({
    name: 'crawler_list_checks.all',
    sql: `SELECT ${check.columns('c.')} FROM crawler_list_checks AS c FINAL ORDER BY feed`,
    params: {},
    row: check.row,
  });
}

/** Replaces the feed's earlier check. @throws as `ClickHouseWriter.insert` */
export async function insertListCheck(writer: ClickHouseWriter, one: ListCheck): Promise<void> {
  await insertRows(writer, {
    table: 'crawler_list_checks',
    rows: [check.toRow({ ...one })],
    deduplicationToken: `crawler_list_checks/${one.feed}/${one.checkedAt}`,
  });
}
