import { PublicError } from '../../../shared/errors.js';
import type { EventLog, LogRecord, Position } from '../../../shared/event-log/event-log.js';
import { readLog } from '../../../shared/event-log/follow-log.js';
import type { Logger } from '../../../shared/logging/log.js';
import {
  type DeadEntry,
  type DeadRecord,
  decodeDeadEntry,
  encodeDeadEntry,
} from '../../../shared/requests/dead-record.js';
import { type DeadLetter, type DeadLetters, foldDeadEntry, nameOfPlace } from './dead-record-list.js';

/** Lists and replays dead records for the operator. */
export interface DeadLetterQueue {
  list(): Promise<DeadLetter[]>;
  /**
   * Appends records to `requests.raw` again, each under its own key.
   * @param wanted one position, or all dead records (with `again`, also records that were replayed before)
   * @returns the records that this call replayed.
   * @throws PublicError `not_found` for a position without a dead record; `conflict` for a record that was replayed before,
   * unless `again`: if the first replay was stored, its requests would count twice.
   */
  replay(wanted: Position | 'all', options: { readonly again: boolean }): Promise<DeadLetter[]>;
}

export function createDeadLetterQueue({ log, logger }: { log: EventLog; logger: Logger }): DeadLetterQueue {
  let turn: Promise<unknown> = Promise.resolve();

  /** Calls `onEntry` for every entry that the topic contains at the start, one after the other. */
  async function read(onEntry: (record: LogRecord, entry: DeadEntry) => void | Promise<void>): Promise<void> {
    const end = (await log.offsets('requests.dead')).get(0)?.next ?? 0;
    await readLog(log, {
      topic: 'requests.dead',
      async onRecords(records) {
        for (const record of records) {
          if (record.offset >= end) return;
          const entry = understood(record);
          if (entry !== null) await onEntry(record, entry);
        }
      },
    });
  }

  function understood(record: LogRecord): DeadEntry | null {
    try {
      return decodeDeadEntry(record.value);
    } catch (error) {
      logger.warn({ err: error, offset: record.offset }, 'skipped an unreadable entry of requests.dead');
      return null;
    }
  }

  async function letters(): Promise<DeadLetters> {
    const found = new Map<string, DeadLetter>();
    await read((record, entry) => foldDeadEntry(found, record, entry));
    return found;
  }

  /** Writes the note first: an interrupted replay is listed as `replaying`, and is not replayed by mistake. */
  async function append(key: string, { partition, offset, value }: DeadRecord): Promise<void> {
    const note = (kind: 'replaying' | 'replayed', to: Position | null) => ({
      key,
      value: encodeDeadEntry({ kind, topic: 'requests.raw', partition, offset, to }),
    });
    await log.append('requests.dead', [note('replaying', null)]);
    const [position] = await log.append('requests.raw', [{ key, value }]);
    const to = { partition: position!.partition, offset: position!.offset };
    await log.append('requests.dead', [note('replayed', to)]);
    logger.info({ partition, offset, to }, 'dead record replayed');
  }

  async function replay(wanted: Position | 'all', again: boolean): Promise<DeadLetter[]> {
    const due = choose(await letters(), wanted, again);
    const left = new Set(due);
    // Reads the bytes in a second pass, so they are never all in memory.
    await read(async ({ key }, entry) => {
      if (entry.kind === 'dead' && left.delete(nameOfPlace(entry))) await append(key, entry);
    });
    const after = await letters();
    return due.flatMap((name) => after.get(name) ?? []);
  }

  return {
    list: async () => [...(await letters()).values()],
    replay(wanted, { again }) {
      // Calls run one after the other. Otherwise two calls could replay the same record.
      const done = turn.then(() => replay(wanted, again));
      turn = done.catch(() => {});
      return done;
    },
  };
}

/** Keys of the positions to replay. */
function choose(letters: DeadLetters, wanted: Position | 'all', again: boolean): string[] {
  if (wanted === 'all') {
    return [...letters].filter(([, { state }]) => again || state === 'dead').map(([name]) => name);
  }
  const name = nameOfPlace(wanted);
  const letter = letters.get(name);
  if (letter === undefined) {
    throw new PublicError(
      'not_found',
      `there is no dead record of partition ${wanted.partition}, offset ${wanted.offset}`,
    );
  }
  if (letter.state !== 'dead' && !again) {
    const what = letter.state === 'replayed' ? 'was replayed' : 'may have been replayed';
    throw new PublicError(
      'conflict',
      `it ${what} at ${letter.replayedAt}; if that replay was stored, its requests would count twice (--again replays it anyway)`,
    );
  }
  return [name];
}
