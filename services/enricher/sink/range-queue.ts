import type { LogRecord } from '../../../shared/event-log/event-log.js';
import { createRateBound } from '../../../shared/pacing/rate-bound.js';
import { MOST_BLOCK_REQUESTS } from '../../../shared/requests/raw-request.js';
import { closeRange, LEAST_RANGE_ROWS } from './range/plan-range.js';
import { mostRowsOf } from './range/record-limits.js';
import { createRecordBuffer } from './record-buffer.js';

/** Records of one partition on their way into ranges. */
export interface RangeQueue {
  /** Resolves when the queue has room for more: the consumer's back-pressure. */
  push(records: readonly LogRecord[]): Promise<void>;
  /**
   * The next records of the range that grows, or of a new one; null once the queue is closed. While `busy` says that a range is being
   * inserted, one that is not full goes on growing: fewer and larger parts in the store.
   * @throws what `fail` was given.
   */
  next(busy: () => boolean): Promise<RangePiece | null>;
  /** Called when rows of this weight are stored: ranges grow with the store's rate. */
  stored(weight: number): void;
  /** Lets `next` look again; called when `busy` may have changed. */
  wake(): void;
  fail(error: Error): void;
  close(): void;
}

/** Records of one range. A range comes in one piece, or, once it is large, in several while it grows: so it is prepared by the time it ends. */
export interface RangePiece {
  /** Empty where the range ends with what was given out before. */
  readonly records: LogRecord[];
  /** The range ends with them. */
  readonly ends: boolean;
  /** The commit planned this range. Such a range comes in one piece. */
  readonly planned: boolean;
  /** Most rows that the whole range can have, all its pieces together. */
  readonly mostRows: number;
}

export interface RangeLimits {
  /** The record that fills a range may take it over that, by what a block has at most. */
  readonly maxRows: number;
  /** A range closes at these rows where the store takes few a second; absent: always at `maxRows`. */
  readonly leastRows?: number;
  /** From so many rows on a range is given out while it grows; default: `leastRows`. Fewer in tests alone. */
  readonly growsFromRows?: number;
  /** Of the records, with each text where its row has it: what they take in memory and in the store's statement. */
  readonly maxBytes: number;
  readonly lingerMs: number;
}

/**
 * A full range holds what the store takes in this time. An insert costs by its tables, whatever it holds: the quicker the store, the more rows
 * can share that without waiting longer.
 */
const RANGE_SECONDS = 0.4;

/** At which rows a range closes where the store takes few a second. */
export function leastRangeRows(maxRows: number): number {
  return Math.min(LEAST_RANGE_ROWS, maxRows / 2);
}

export interface RangeQueueOptions extends RangeLimits {
  /** Last offset of the range that was planned before the restart, which must come out as it was; null: none was. */
  readonly plannedLast: number | null;
  /** The plan is void: retention dropped all of its records. */
  onVoid(): void;
}

export function createRangeQueue(options: RangeQueueOptions): RangeQueue {
  const { maxRows, leastRows = maxRows, growsFromRows = leastRows, maxBytes, lingerMs, onVoid } = options;
  const bound = createRateBound({
    least: leastRows,
    most: maxRows,
    seconds: RANGE_SECONDS,
    now: () => performance.now(),
  });
  const mostRows = maxRows + MOST_BLOCK_REQUESTS;
  const buffer = createRecordBuffer();
  let { plannedLast } = options;
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
  /** The next range begins with what is in the buffer. */
  const startLinger = () => {
    clearTimeout(linger);
    lingered = false;
    if (buffer.held().records === 0) return;
    linger = setTimeout(() => {
      lingered = true;
      wake();
    }, lingerMs);
  };
  const isFull = () => buffer.held().rows > 2 * maxRows || buffer.held().bytes > 2 * maxBytes;
  const take = (count: number, ends: boolean, fromPlan: boolean): RangePiece => {
    const isWhole = ends && buffer.growing().records === 0;
    const records = buffer.take(count, ends);
    if (ends) startLinger();
    wake();
    return { records, ends, planned: fromPlan, mostRows: isWhole ? mostRowsOf(records) : mostRows };
  };
  /** Null: nothing can be given out. */
  const takeNext = (isBusy: boolean): RangePiece | null => {
    const bounds = { endsAtWeight: bound.value(), mostRows, maxBytes, lingered: lingered && !isBusy };
    const waiting = buffer.waiting();
    const count = closeRange(waiting, plannedLast, bounds, buffer.growing());
    const wasPlanned = plannedLast !== null;
    if (count !== null) plannedLast = null;
    // Retention dropped the planned records before we came back.
    if (count === 0 && wasPlanned) {
      onVoid();
      return takeNext(isBusy);
    }
    if (count !== null) return take(count, true, wasPlanned);
    const isLarge = !wasPlanned && buffer.held().weight >= growsFromRows;
    return isLarge && waiting.length > 0 ? take(waiting.length, false, false) : null;
  };

  return {
    async push(records) {
      // Whoever comes next reads them again.
      if (closed) return;
      const isFirst = buffer.held().records === 0;
      buffer.add(records);
      if (isFirst) startLinger();
      wake();
      while (isFull() && plannedLast === null && !closed && failure === null) await change();
    },
    async next(busy) {
      while (!closed) {
        if (failure !== null) throw failure;
        const piece = takeNext(busy());
        if (piece !== null) return piece;
        await change();
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
