import type { KafkaMessage } from 'kafkajs';
import type { LogRecord } from '../event-log.js';

/** What is fetched of one partition, on its way to the handler: in order, one call at a time. */

export interface Lane {
  readonly partition: number;
  /** Next offset to fetch. */
  position(): number;
  /** Whether more should be fetched. */
  hasRoom(): boolean;
  take(messages: readonly FetchedMessage[]): void;
  /** Goes on elsewhere, where the brokers do not have `position` any more. */
  moveTo(position: number): void;
  /** Hands over no more; resolves when the running call has ended. */
  close(): Promise<void>;
}

export interface LaneOptions {
  readonly partition: number;
  readonly position: number;
  /** Most bytes of values in one call, but at least one record; and as many are fetched ahead. */
  readonly maxBytes: number;
  onRecords(partition: number, records: readonly LogRecord[]): Promise<void>;
  /** Everything before `position` has been handed over, or is no record. */
  onProgress(partition: number, position: number): void;
  /** There may be room again. */
  onRoom(): void;
  /** The handler rejected. The lane is closed. */
  onFailure(error: unknown): void;
}

export type FetchedMessage = KafkaMessage & { readonly isControlRecord?: boolean };

export function createLane(options: LaneOptions): Lane {
  const { partition, maxBytes, onRecords, onProgress, onRoom, onFailure } = options;
  const waiting: LogRecord[] = [];
  let { position } = options;
  let waitingBytes = 0;
  let open = true;
  let running: Promise<void> | null = null;

  async function handOver(): Promise<void> {
    try {
      while (open && waiting.length > 0) {
        const slice = cut(waiting, maxBytes);
        waitingBytes -= bytesOf(slice);
        await onRecords(partition, slice);
        if (open) onProgress(partition, waiting[0]?.offset ?? position);
        onRoom();
      }
    } catch (error) {
      open = false;
      onFailure(error);
    }
    running = null;
  }

  return {
    partition,
    position: () => position,
    hasRoom: () => open && waitingBytes < maxBytes,
    take(messages) {
      if (!open) return;
      const from = position;
      for (const message of messages) {
        const offset = Number(message.offset);
        // A compressed batch comes whole, also where only its end was asked for.
        if (offset < position) continue;
        position = offset + 1;
        // The mark at the end of a transaction has an offset, but is no record.
        if (message.isControlRecord) continue;
        const record = toRecord(partition, offset, message);
        waiting.push(record);
        waitingBytes += record.value.length;
      }
      if (waiting.length > 0) running ??= handOver();
      else if (position > from && !running) onProgress(partition, position);
    },
    moveTo(to) {
      position = to;
      if (!running) onProgress(partition, to);
    },
    async close() {
      open = false;
      await running;
    },
  };
}

function toRecord(partition: number, offset: number, { key, value, timestamp }: FetchedMessage): LogRecord {
  return {
    partition,
    offset,
    key: key?.toString() ?? '',
    value: value ?? Buffer.alloc(0),
    appendedAt: Number(timestamp),
  };
}

/** Takes the first records off the line: as many as `maxBytes` allow, and at least one. */
function cut(waiting: LogRecord[], maxBytes: number): LogRecord[] {
  let count = 0;
  let bytes = 0;
  for (const { value } of waiting) {
    if (count > 0 && bytes + value.length > maxBytes) break;
    count++;
    bytes += value.length;
  }
  return waiting.splice(0, count);
}

function bytesOf(records: readonly LogRecord[]): number {
  return records.reduce((sum, { value }) => sum + value.length, 0);
}
