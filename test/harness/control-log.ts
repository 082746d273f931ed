import type { EventLog, LogRecord } from '../../shared/event-log/event-log.js';
import { LogUnavailableError } from '../../shared/event-log/event-log.js';

/**
 * `control.events` in memory. A test decides when a tail receives its records, whether an append fails, and
 * whether a record is in the log twice.
 */
export interface ControlLog extends EventLog {
  readonly records: readonly LogRecord[];
  /** Delivers nothing until `release`. */
  hold(): void;
  release(): void;
  /** The next append fails, or the one after `behind` others. */
  failNextAppend(behind?: number): void;
  /** Later appends leave this many extra copies, like a producer's retry. */
  duplicate(copies: number): void;
  /** Resolves when every tail has read the whole log. */
  drained(): Promise<void>;
}

export function createControlLog(given: readonly LogRecord[] = []): ControlLog {
  const records: LogRecord[] = [...given];
  const tails = new Set<{ wake(): void; read(): number }>();
  let held = false;
  let failing: number | null = null;
  let copies = 0;
  const notify = () => {
    for (const tail of tails) tail.wake();
  };

  return {
    records,
    hold() {
      held = true;
    },
    release() {
      held = false;
      notify();
    },
    failNextAppend(behind = 0) {
      failing = behind;
    },
    duplicate(count) {
      copies = count;
    },
    async drained() {
      while ([...tails].some((tail) => tail.read() < records.length))
        await new Promise((turn) => setImmediate(turn));
    },

    async append(_topic, added) {
      if (failing !== null) failing -= 1;
      if (failing === -1) {
        failing = null;
        throw new LogUnavailableError('disk full');
      }
      const positions = [];
      for (const { key, value } of added) {
        positions.push({ partition: 0, offset: records.length });
        for (let copy = 0; copy <= copies; copy++)
          records.push({ key, value, partition: 0, offset: records.length, appendedAt: 0 });
      }
      notify();
      return positions;
    },

    async tail({ from = 0, onRecords, onCrash }) {
      const goal = records.length;
      let next = from;
      let stopped = false;
      let running = false;
      let reached!: () => void;
      let missed!: (error: Error) => void;
      const caughtUp = new Promise<void>((resolve, reject) => {
        reached = resolve;
        missed = reject;
      });
      caughtUp.catch(() => {});
      const deliver = async () => {
        // In a later turn, as from a disk: the appender has continued by then.
        await new Promise((turn) => setImmediate(turn));
        while (!stopped && !held && next < records.length) {
          const batch = records.slice(next);
          next = records.length;
          await onRecords(batch);
        }
        if (next >= goal) reached();
      };
      const wake = () => {
        if (running || stopped) return;
        running = true;
        deliver()
          .catch((error: Error) => {
            stopped = true;
            missed(error);
            onCrash(error);
          })
          .finally(() => {
            running = false;
            if (!held && next < records.length) wake();
          });
      };
      const entry = { wake, read: () => next };
      tails.add(entry);
      wake();
      return {
        caughtUp,
        async stop() {
          stopped = true;
          tails.delete(entry);
        },
      };
    },

    consume: () => Promise.reject(new Error('not part of this log')),
    committed: async () => new Map(),
    offsets: async () => new Map([[0, { oldest: 0, next: records.length }]]),
    close: async () => {},
  };
}
