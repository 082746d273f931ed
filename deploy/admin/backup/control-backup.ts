import { z } from 'zod';
import { decodeDecision } from '../../../shared/control/domain/event-codec.js';
import { PublicError } from '../../../shared/errors.js';
import type { EventLog, LogRecord } from '../../../shared/event-log/event-log.js';

/**
 * A copy of the data that can't be computed again: the control log and its encryption keys. The file has lines of JSON: a
 * head, one line per record, and the number of records. The number reveals a truncated copy.
 */

/** Keys come first, because the fold of the events needs them. */
export const backupTopics = ['control.keys', 'control.events'] as const;
type BackupTopic = (typeof backupTopics)[number];

const FORMAT = 1;
const head = z.object({ loglane_control_backup: z.literal(FORMAT) });
const record = z.object({ topic: z.enum(backupTopics), offset: z.int(), key: z.string(), value: z.base64() });
const foot = z.object({ records: z.int() });

export type BackupRecord = z.output<typeof record>;

/** A page has a few megabytes at most: decisions have a few hundred bytes. */
const RECORDS_PER_PAGE = 2_000;
const RECORDS_PER_APPEND = 500;

export interface BackupPage {
  readonly records: readonly BackupRecord[];
  /** Offset of the next page; null: this was the last page. */
  readonly next: number | null;
}

/** Reads records of a topic from an offset on. @throws errors of the log */
export async function readBackupPage(log: EventLog, topic: BackupTopic, from: number): Promise<BackupPage> {
  const { oldest = 0, next: end = 0 } = (await log.offsets(topic)).get(0) ?? {};
  if (Math.max(from, oldest) >= end) return { records: [], next: null };
  const found: LogRecord[] = [];
  let enough: () => void = () => {};
  const full = new Promise<void>((resolve) => {
    enough = resolve;
  });
  const tail = await log.tail({
    topic,
    from,
    onRecords(records) {
      const before = records.filter(({ offset }) => offset < end);
      found.push(...before.slice(0, RECORDS_PER_PAGE - found.length));
      if (found.length === RECORDS_PER_PAGE || before.length < records.length) enough();
    },
    onCrash() {},
  });
  await Promise.race([full, tail.caughtUp]).finally(() => tail.stop());
  const last = found.at(-1);
  return {
    records: found.map(({ offset, key, value }) => ({ topic, offset, key, value: value.toString('base64') })),
    next: last === undefined || last.offset + 1 >= end ? null : last.offset + 1,
  };
}

/** The lines of a back-up. @param page reads a page as {@link readBackupPage} does, from this or another process. */
export async function* backupLines(
  page: (topic: BackupTopic, from: number) => Promise<BackupPage>,
): AsyncGenerator<string> {
  yield JSON.stringify({ loglane_control_backup: FORMAT });
  let count = 0;
  for (const topic of backupTopics)
    for (let from: number | null = 0; from !== null; ) {
      const { records, next }: BackupPage = await page(topic, from);
      for (const each of records) yield JSON.stringify(each);
      count += records.length;
      from = next;
    }
  yield JSON.stringify({ records: count });
}

/**
 * Writes a back-up into an empty log. A crash can leave part of it: remove the log before the next attempt.
 * @returns the number of records. @throws PublicError, before anything is written: `conflict` if the log is not empty,
 * `invalid_request` if the lines are not a complete back-up.
 */
export async function restoreControlLog(log: EventLog, lines: Iterable<string>): Promise<number> {
  for (const topic of backupTopics)
    if (((await log.offsets(topic)).get(0)?.next ?? 0) > 0)
      throw new PublicError(
        'conflict',
        `${topic} is not empty: a back-up can be restored only into an empty log`,
      );
  const records = readBackup(lines);
  for (const topic of backupTopics) {
    const ofTopic = records.filter((each) => each.topic === topic);
    for (let at = 0; at < ofTopic.length; at += RECORDS_PER_APPEND)
      await log.append(
        topic,
        ofTopic
          .slice(at, at + RECORDS_PER_APPEND)
          .map(({ key, value }) => ({ key, value: Buffer.from(value, 'base64') })),
      );
  }
  return records.length;
}

function readBackup(lines: Iterable<string>): BackupRecord[] {
  const parsed = [...lines].filter((line) => line !== '').map(parse);
  if (!head.safeParse(parsed[0]).success) throw broken('it is not a back-up of the control log');
  const end = foot.safeParse(parsed.at(-1));
  if (!end.success || end.data.records !== parsed.length - 2) throw broken('it is truncated');
  return parsed.slice(1, -1).map((line, index) => {
    const { success, data } = record.safeParse(line);
    if (!success) throw broken(`line ${index + 2} is not a record`);
    if (data.topic === 'control.events') refuseUnreadable(data, index + 2);
    return data;
  });
}

function refuseUnreadable({ value }: BackupRecord, line: number): void {
  try {
    decodeDecision(Buffer.from(value, 'base64'));
  } catch {
    throw broken(`line ${line} can't be read by this version`);
  }
}

function parse(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

function broken(why: string): PublicError {
  return new PublicError('invalid_request', `the file can't be restored: ${why}`);
}
