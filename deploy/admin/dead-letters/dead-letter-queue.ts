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

/** Where an operator looks after dead records. */
export interface DeadLetterQueue {
  list(): Promise<DeadLetter[]>;
  /**
   * Appends records to `requests.raw` again, each under its own key.
   * @param wanted one place, or all that are still dead (`again`: all that were replayed before, too)
   * @returns what was replayed now.
   * @throws PublicError `not_found` for a place where nothing is buried; `conflict` for one that was replayed before,
   * unless `again`: where the first replay was stored, its requests would count twice.
   */
  replay(wanted: Position | 'all', options: { readonly again: boolean }): Promise<DeadLetter[]>;
}

export function createDeadLetterQueue({ log, logger }: { log: EventLog; logger: Logger }): DeadLetterQueue {
  let turn: Promise<unknown> = Promise.resolve();

  /** Hands over every entry that stood in the topic when it began, one after the other. */
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
      logger.warn({ err: error, offset: record.offset }, 'left out an entry of requests.dead');
      return null;
    }
  }

  async function letters(): Promise<DeadLetters> {
    const found = new Map<string, DeadLetter>();
    await read((record, entry) => foldDeadEntry(found, record, entry));
    return found;
  }

  /** The note comes first: what is cut short is listed as `replaying`, and is not replayed by mistake. */
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
    // The bytes are read a second time, and never all held.
    await read(async ({ key }, entry) => {
      if (entry.kind === 'dead' && left.delete(nameOfPlace(entry))) await append(key, entry);
    });
    const after = await letters();
    return due.flatMap((name) => after.get(name) ?? []);
  }

  return {
    list: async () => [...(await letters()).values()],
    replay(wanted, { again }) {
      // One after the other, so that two calls at once do not both find a record unreplayed.
      const done = turn.then(() => replay(wanted, again));
      turn = done.catch(() => {});
      return done;
    },
  };
}

/** Names of the places to replay. */
function choose(letters: DeadLetters, wanted: Position | 'all', again: boolean): string[] {
  if (wanted === 'all') {
    return [...letters].filter(([, { state }]) => again || state === 'dead').map(([name]) => name);
  }
  const name = nameOfPlace(wanted);
  const letter = letters.get(name);
  if (letter === undefined) {
    throw new PublicError(
      'not_found',
      `nothing of partition ${wanted.partition}, offset ${wanted.offset} is buried`,
    );
  }
  if (letter.state !== 'dead' && !again) {
    const what = letter.state === 'replayed' ? 'was replayed' : 'may have been replayed';
    throw new PublicError(
      'conflict',
      `it ${what} at ${letter.replayedAt}; where that was stored, its requests would count twice (--again does it all the same)`,
    );
  }
  return [name];
}
