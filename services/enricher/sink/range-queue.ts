import type { LogRecord } from '../../../shared/event-log/event-log.js';
import { createRateBound } from '../../../shared/pacing/rate-bound.js';
import { MOST_BLOCK_REQUESTS } from '../../../shared/requests/raw-request.js';
import { closeRange, LEAST_RANGE_WEIGHT } from './range/plan-range.js';
import { mostRowsOf } from './range/record-limits.js';
import { createRecordBuffer } from './record-buffer.js';

/** Groups the records of one partition into ranges. */
export interface RangeQueue {
  /** Resolves when the queue can accept more, which is the consumer's back-pressure. */
  push(records: readonly LogRecord[]): Promise<void>;
  /**
   * The next records of the growing range, or of a new one; null after the queue is closed. While `busy`
   * reports a running insert, a range that is not full keeps growing, so that the store gets fewer and larger
   * parts.
   * @throws the error of `fail`
   */
  next(busy: () => boolean): Promise<RangePiece | null>;
  /** Called when rows of this weight are stored: ranges grow with the store's rate. */
  stored(weight: number): void;
  /** Lets `next` look again; called when `busy` may have changed. */
  wake(): void;
  fail(error: Error): void;
  close(): void;
}

/**
 * Records of one range. A range comes in one piece or, if it is large, in several while it grows, so that it
 * is prepared when it ends.
 */
export interface RangePiece {
  /** Empty if the range ends with the pieces before. */
  readonly records: LogRecord[];
  /** Whether the range ends with this piece. */
  readonly ends: boolean;
  /** Whether the commit planned this range. Such a range comes in one piece. */
  readonly planned: boolean;
  /** Most rows that the whole range, with all its pieces, can have. */
  readonly mostRows: number;
}

export interface RangeLimits {
  /**
   * A range closes at this weight (`weighRequests`). As the weight is at least the number of rows, it also bounds the
   * rows: the last record may exceed it by at most the requests of a block.
   */
  readonly maxRows: number;
  /** A range closes at this weight if the store is slow; absent: always at `maxRows`. */
  readonly leastWeight?: number;
  /**
   * From this weight on, a range is returned in pieces while it grows; default: `leastWeight`. Only tests use
   * less.
   */
  readonly growsFromWeight?: number;
  /** Bytes of the records with each text in its row, as in memory and in the store's statement. */
  readonly maxBytes: number;
  readonly lingerMs: number;
}

/**
 * A full range has the weight of rows that the store accepts in this time. The cost of an insert depends on its tables,
 * so a faster store can share it among more rows without a longer wait.
 */
const RANGE_SECONDS = 0.4;

/** The weight at which a range closes if the store is slow. */
export function leastRangeWeight(maxRows: number): number {
  return Math.min(LEAST_RANGE_WEIGHT, maxRows / 2);
}

export interface RangeQueueOptions extends RangeLimits {
  /**
   * Last offset of the range that was planned before the restart and must be repeated exactly; null: none.
   */
  readonly plannedLast: number | null;
  /** The plan is void: retention dropped all of its records. */
  onVoid(): void;
}

export function createRangeQueue(options: RangeQueueOptions): RangeQueue {
  const { maxRows, maxBytes, lingerMs, onVoid } = options;
  const { leastWeight = maxRows, growsFromWeight = leastWeight } = options;
  const bound = createRateBound({
    least: leastWeight,
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
  /** Starts the wait of the next range if the buffer has records. */
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
  /** Null: there is nothing to return. */
  const takeNext = (isBusy: boolean): RangePiece | null => {
    const bounds = { endsAtWeight: bound.value(), mostRows, maxBytes, lingered: lingered && !isBusy };
    const waiting = buffer.waiting();
    const count = closeRange(waiting, plannedLast, bounds, buffer.growing());
    const wasPlanned = plannedLast !== null;
    if (count !== null) plannedLast = null;
    // Retention dropped the planned records before this start.
    if (count === 0 && wasPlanned) {
      onVoid();
      return takeNext(isBusy);
    }
    if (count !== null) return take(count, true, wasPlanned);
    const isLarge = !wasPlanned && buffer.held().weight >= growsFromWeight;
    return isLarge && waiting.length > 0 ? take(waiting.length, false, false) : null;
  };

  return {
    async push(records) {
      // The next owner reads them again.
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
