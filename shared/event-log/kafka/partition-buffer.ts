import type { LogRecord } from '../event-log.js';
import type { Anchor } from './anchor.js';
import { createContinuity, DivergedFrom } from './continuity.js';
import type { FetchedMessage } from './fetched-message.js';

/** Fetched records of one partition, delivered to the handler in order, one call at a time. */

export interface PartitionBuffer {
  readonly partition: number;
  /** Next offset to fetch. */
  position(): number;
  /** Whether more should be fetched. */
  hasRoom(): boolean;
  /** Fetch size in bytes before decompression. */
  wish(): number;
  take(messages: readonly FetchedMessage[]): void;
  /** All records below `oldest` have been deleted. */
  moveTo(oldest: number): void;
  /** Requests a check that the log still has the record fetched last. */
  recheck(): void;
  /** The newest record that was fetched, or the record before the start position. */
  anchor(): Anchor | null;
  /** Stops delivery; resolves when the running call has ended. */
  close(): Promise<void>;
}

export interface PartitionBufferOptions {
  readonly partition: number;
  readonly position: number;
  /** The record that must still be in the log before anything is delivered; it may be on either side of `position`. */
  readonly anchor: Anchor | null;
  /** Whether the topic stores only the last value of each key. */
  readonly compacted: boolean;
  /** Most bytes of values in one call, but at least one record. */
  readonly maxBytes: number;
  /** Bytes of waiting values above which no more is fetched. */
  mostAhead(): number;
  onRecords(partition: number, records: readonly LogRecord[]): Promise<void>;
  /** All records before `position` have been delivered. */
  onProgress(partition: number, position: number): void;
  /** There may be space again. */
  onRoom(): void;
  /** The log differs from the one of `anchor`. The buffer is closed. */
  onDiverged(partition: number, anchor: Anchor): void;
  /** The handler rejected. The buffer is closed. */
  onFailure(error: unknown): void;
}

/** Small at first: batches of a repeated line inflate a hundredfold and more. */
const FIRST_WISH = 16 * 1024;
const LEAST_WISH = 4 * 1024;
const MOST_WISH = 512 * 1024;

export function createPartitionBuffer(options: PartitionBufferOptions): PartitionBuffer {
  const { partition, maxBytes, mostAhead, onRecords, onProgress, onRoom, onDiverged, onFailure } = options;
  const waiting: LogRecord[] = [];
  const continuity = createContinuity(options.anchor, options);
  let { position } = options;
  let waitingBytes = 0;
  let wish = FIRST_WISH;
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

  function follow(messages: readonly FetchedMessage[]): readonly FetchedMessage[] {
    try {
      return continuity.follow(messages, position);
    } catch (error) {
      open = false;
      if (error instanceof DivergedFrom) onDiverged(partition, error.anchor);
      else onFailure(error);
      return [];
    }
  }

  function takeAll(messages: readonly FetchedMessage[]): number {
    let bytes = 0;
    for (const message of messages) {
      position = Number(message.offset) + 1;
      // The marker at the end of a transaction has an offset, but is no record.
      if (message.isControlRecord) continue;
      const record = toRecord(partition, position - 1, message);
      waiting.push(record);
      bytes += record.value.length;
    }
    return bytes;
  }

  /** Adapts the fetch size: the inflated size is only known after decompression. */
  function adapt(bytes: number): void {
    const most = mostAhead();
    if (bytes > most) wish = Math.max(LEAST_WISH, Math.floor((wish * most) / bytes));
    else if (bytes < most / 2) wish = Math.min(MOST_WISH, 2 * wish);
  }

  return {
    partition,
    position: () => continuity.wanted() ?? position,
    hasRoom: () => open && waitingBytes < mostAhead(),
    wish: () => wish,
    anchor: continuity.anchor,
    take(messages) {
      if (!open) return;
      const from = position;
      const fresh = follow(messages);
      if (fresh.length === 0) return;
      const bytes = takeAll(fresh);
      waitingBytes += bytes;
      adapt(bytes);
      if (waiting.length > 0) running ??= handOver();
      else if (position > from && !running) onProgress(partition, position);
    },
    moveTo(oldest) {
      position = Math.max(position, oldest);
      continuity.forget();
      if (!running) onProgress(partition, position);
    },
    recheck: continuity.recheck,
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

/** Takes the first records: as many as `maxBytes` allow, and at least one. */
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
