import type { LogRecord } from '../../../shared/event-log/event-log.js';
import { expandedBytes } from '../../../shared/requests/columns/raw-block-codec.js';
import { NO_RANGE, type QueuedRecord, type RangeSize } from './range/plan-range.js';
import { rowsOf, weightOf } from './range/record-limits.js';

/** Records of one partition that belong to no closed range yet, in order. */
export interface RecordBuffer {
  add(records: readonly LogRecord[]): void;
  /** Records that were not taken yet. */
  waiting(): readonly QueuedRecord[];
  /** Size of the taken part of the growing range. */
  growing(): RangeSize;
  /** Size of both. */
  held(): RangeSize;
  /**
   * Takes the next records of the growing range.
   * @param ends whether the range ends with them
   */
  take(count: number, ends: boolean): LogRecord[];
}

interface Buffered extends QueuedRecord {
  readonly record: LogRecord;
}

export function createRecordBuffer(): RecordBuffer {
  let waiting: Buffered[] = [];
  let growing = NO_RANGE;
  let held = NO_RANGE;
  return {
    add(records) {
      for (const record of records) {
        const { offset, value } = record;
        const added = {
          record,
          offset,
          rows: rowsOf(value),
          weight: weightOf(value),
          bytes: expandedBytes(value),
        };
        waiting.push(added);
        held = withRecord(held, added);
      }
    },
    waiting: () => waiting,
    growing: () => growing,
    held: () => held,
    take(count, ends) {
      const given = waiting.slice(0, count);
      waiting = waiting.slice(count);
      growing = given.reduce(withRecord, growing);
      if (ends) {
        held = waiting.reduce(withRecord, NO_RANGE);
        growing = NO_RANGE;
      }
      return given.map(({ record }) => record);
    },
  };
}

function withRecord(size: RangeSize, { rows, weight, bytes }: QueuedRecord): RangeSize {
  return {
    records: size.records + 1,
    rows: size.rows + rows,
    weight: size.weight + weight,
    bytes: size.bytes + bytes,
  };
}
