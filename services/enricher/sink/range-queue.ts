import type { LogRecord } from '../../../shared/event-log/event-log.js';
import { countRequests } from '../../../shared/requests/raw-block-codec.js';
import { closeRange } from './plan-range.js';

/** Records of one partition that wait for their range to be closed. */
export interface RangeQueue {
  /** Resolves when the queue has room for more: the consumer's back-pressure. */
  push(records: readonly LogRecord[]): Promise<void>;
  /**
   * The next closed range; null once the queue is closed. While `busy` says that a range is being inserted, a small one
   * goes on growing: fewer and larger parts in the store.
   * @throws what `fail` was given.
   */
  next(busy: () => boolean): Promise<LogRecord[] | null>;
  /** Lets `next` look again; called when `busy` may have changed. */
  wake(): void;
  fail(error: Error): void;
  close(): void;
}

export interface RangeLimits {
  readonly maxRows: number;
  readonly lingerMs: number;
}

/** `planned`: last offset of a range that was planned before the restart, which must come out as it was. */
export function createRangeQueue(planned: number | null, { maxRows, lingerMs }: RangeLimits): RangeQueue {
  let queue: { record: LogRecord; offset: number; rows: number }[] = [];
  let queuedRows = 0;
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
    for (const { rows } of taken) queuedRows -= rows;
    startLinger();
    wake();
    return taken.map(({ record }) => record);
  };

  return {
    async push(records) {
      // Whoever comes next reads them again.
      if (closed) return;
      const wasEmpty = queue.length === 0;
      for (const record of records) {
        const rows = countRequests(record.value);
        queue.push({ record, offset: record.offset, rows });
        queuedRows += rows;
      }
      if (wasEmpty) startLinger();
      wake();
      while (queuedRows > 2 * maxRows && planned === null && !closed && failure === null) await change();
    },
    async next(busy) {
      while (!closed) {
        if (failure !== null) throw failure;
        const count = closeRange(queue, planned, { maxRows, lingered: lingered && !busy() });
        if (count !== null) planned = null;
        // 0: retention dropped the planned records before we came back; the plan is void.
        if (count !== null && count > 0) return take(count);
        if (count === null) await change();
      }
      return null;
    },
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
