import { z } from 'zod';
import { decodeDecision } from '../../../shared/control/domain/event-codec.js';
import { PublicError } from '../../../shared/errors.js';
import type { EventLog, LogRecord } from '../../../shared/event-log/event-log.js';

/**
 * A copy of what cannot be made again: the control log and the keys of what is sealed in it. Lines of JSON: a head, then one
 * for each record, then their number, so that a copy that was cut short is not taken for a whole one.
 */

/** Keys first: who folds the events finds them. */
export const backupTopics = ['control.keys', 'control.events'] as const;
type BackupTopic = (typeof backupTopics)[number];

const FORMAT = 1;
const head = z.object({ loglane_control_backup: z.literal(FORMAT) });
const record = z.object({ topic: z.enum(backupTopics), offset: z.int(), key: z.string(), value: z.base64() });
const foot = z.object({ records: z.int() });

export type BackupRecord = z.output<typeof record>;

/** Some megabytes at most: decisions are a few hundred bytes. */
const RECORDS_PER_PAGE = 2_000;
const RECORDS_PER_APPEND = 500;

export interface BackupPage {
  readonly records: readonly BackupRecord[];
  /** Where the next page begins; null: this was the last. */
  readonly next: number | null;
}

/** Records of a topic from an offset on. @throws what keeps the log from being read. */
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

/** The lines of a back-up. @param page as {@link readBackupPage}, wherever the log is. */
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
 * Puts a back-up into an empty log, whole or not at all but for a crash: then the log is not empty any more, and is to be
 * removed before it is tried again.
 * @returns how many records. @throws PublicError `conflict` where the log holds something; `invalid_request` where the lines are
 * no whole back-up: nothing is written then.
 */
export async function restoreControlLog(log: EventLog, lines: Iterable<string>): Promise<number> {
  for (const topic of backupTopics)
    if (((await log.offsets(topic)).get(0)?.next ?? 0) > 0)
      throw new PublicError('conflict', `${topic} holds something already: a back-up goes into an empty log`);
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
  if (!head.safeParse(parsed[0]).success) throw broken('it is no back-up of the control log');
  const end = foot.safeParse(parsed.at(-1));
  if (!end.success || end.data.records !== parsed.length - 2) throw broken('it was cut short');
  return parsed.slice(1, -1).map((line, index) => {
    const { success, data } = record.safeParse(line);
    if (!success) throw broken(`line ${index + 2} is no record`);
    if (data.topic === 'control.events') refuseUnreadable(data, index + 2);
    return data;
  });
}

function refuseUnreadable({ value }: BackupRecord, line: number): void {
  try {
    decodeDecision(Buffer.from(value, 'base64'));
  } catch {
    throw broken(`line ${line} can't be read by this release`);
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
