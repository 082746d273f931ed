import type { LogRecord } from '../../../shared/event-log/event-log.js';
import { createRateBound } from '../../../shared/rate-bound.js';
import { expandedBytes } from '../../../shared/requests/raw-block-codec.js';
import { closeRange } from './plan-range.js';
import { rowsOf } from './record-limits.js';

/** Records of one partition that wait for their range to be closed. */
export interface RangeQueue {
  /** Resolves when the queue has room for more: the consumer's back-pressure. */
  push(records: readonly LogRecord[]): Promise<void>;
  /**
   * The next closed range; null once the queue is closed. While `busy` says that a range is being inserted, a small one
   * goes on growing: fewer and larger parts in the store.
   * @throws what `fail` was given.
   */
  next(busy: () => boolean): Promise<ClosedRange | null>;
  /** Called when so many rows are stored: ranges grow with the store's rate. */
  stored(rows: number): void;
  /** Lets `next` look again; called when `busy` may have changed. */
  wake(): void;
  fail(error: Error): void;
  close(): void;
}

export interface ClosedRange {
  readonly records: LogRecord[];
  /** It is the one that the commit planned. */
  readonly planned: boolean;
}

export interface RangeLimits {
  readonly maxRows: number;
  /** A range closes at these rows where the store takes few a second; absent: always at `maxRows`. */
  readonly leastRows?: number;
  /** Of the records, with each text where its row has it: what they take in memory and in the store's statement. */
  readonly maxBytes: number;
  readonly lingerMs: number;
}

/**
 * More than this was never stored, and is not held: the first release, whose ranges had no bound in bytes, sent them as one
 * body, and the embedded engine refuses one of more than 256 MiB before it reads a row. A plan of this release is within its
 * own bounds, so that it is never given up.
 */
const MOST_OLD_PLAN_BYTES = 240 * 1024 ** 2;

/**
 * A full range holds what the store takes in this time. An insert costs by its tables, whatever it holds: the quicker the store, the more rows
 * can share that without waiting longer.
 */
const RANGE_SECONDS = 0.6;
const LEAST_RANGE_ROWS = 30_000;

/** At which rows a range closes where the store takes few a second. */
export function leastRangeRows(maxRows: number): number {
  return Math.min(LEAST_RANGE_ROWS, maxRows / 2);
}

export interface RangeQueueOptions extends RangeLimits {
  /** The range that was planned before the restart, which must come out as it was. */
  readonly planned: { readonly last: number; readonly old: boolean } | null;
  /** The plan is void: retention dropped all of its records, or it is an old one and too large to have been stored. */
  onVoid(): void;
}

export function createRangeQueue(options: RangeQueueOptions): RangeQueue {
  const { maxRows, leastRows = maxRows, maxBytes, lingerMs, onVoid } = options;
  const bound = createRateBound({
    least: leastRows,
    most: maxRows,
    seconds: RANGE_SECONDS,
    now: () => performance.now(),
  });
  let { planned } = options;
  let queue: { record: LogRecord; offset: number; rows: number; bytes: number }[] = [];
  let queuedRows = 0;
  let queuedBytes = 0;
  let lingered = false;
  let linger: NodeJS.Timeout | undefined;
  let failure: Error | null = null;
  let closed = false;
  let sleepers: (() => void)[] = [];

  const change = () => new Promise<void>((resume) => sleepers.push(resume));
  const wake = () => {
    const woken = sleepers;
    sleepers = [];
    for (const resume of woken) resume();
  };
  const startLinger = () => {
    clearTimeout(linger);
    lingered = false;
    if (queue.length === 0) return;
    linger = setTimeout(() => {
      lingered = true;
      wake();
    }, lingerMs);
  };
  const take = (count: number) => {
    const taken = queue.slice(0, count);
    queue = queue.slice(count);
    for (const { rows, bytes } of taken) {
      queuedRows -= rows;
      queuedBytes -= bytes;
    }
    startLinger();
    wake();
    return taken.map(({ record }) => record);
  };
  const isFull = () => queuedRows > 2 * maxRows || queuedBytes > 2 * maxBytes;
  const giveUpLargePlan = () => {
    if (planned?.old !== true || queuedBytes <= MOST_OLD_PLAN_BYTES) return;
    planned = null;
    onVoid();
  };

  return {
    async push(records) {
      // Whoever comes next reads them again.
      if (closed) return;
      const wasEmpty = queue.length === 0;
      for (const record of records) {
        const rows = rowsOf(record.value);
        const bytes = expandedBytes(record.value);
        queue.push({ record, offset: record.offset, rows, bytes });
        queuedRows += rows;
        queuedBytes += bytes;
      }
      giveUpLargePlan();
      if (wasEmpty) startLinger();
      wake();
      while (isFull() && planned === null && !closed && failure === null) await change();
    },
    async next(busy) {
      while (!closed) {
        if (failure !== null) throw failure;
        const bounds = { maxRows: bound.value(), maxBytes, lingered: lingered && !busy() };
        const count = closeRange(queue, planned?.last ?? null, bounds);
        const wasPlanned = planned !== null;
        if (count !== null) planned = null;
        // Retention dropped the planned records before we came back.
        if (count === 0) onVoid();
        if (count !== null && count > 0) return { records: take(count), planned: wasPlanned };
        if (count === null) await change();
      }
      return null;
    },
    stored: bound.count,
    wake,
    fail(error) {
      failure = error;
      wake();
    },
    close() {
      closed = true;
      clearTimeout(linger);
      wake();
    },
  };
}
