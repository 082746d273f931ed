import { setTimeout as sleep } from 'node:timers/promises';
import type { Message } from 'kafkajs';
import { LogUnavailableError, type NewRecord, type Position } from '../event-log.js';
import { partitionOf } from '../partition-of.js';
import { MAX_BATCH_BYTES } from './ensure-topics.js';
import type { Batch, Sender } from './producer.js';

/**
 * Combines appends into batches. While one batch is in flight the next one accumulates, so that batches grow with the
 * load. An idle log waits `lingerMs` for further appends.
 */

/** Bytes of values in one batch: keeps each partition's part below the brokers' limit, and requests short. */
const BATCH_BYTES = 4 * 1024 ** 2;
/** kafkajs's decoder spreads the records of a batch over the stack. */
const BATCH_RECORDS = 10_000;
/** Upper bound of keys and framing of a single record. */
const OVERHEAD_BYTES = 64 * 1024;

export interface AppenderOptions {
  readonly sender: Sender;
  readonly lingerMs: number;
  /** From the call to the acknowledgement, including the wait for space. */
  readonly ackTimeoutMs: number;
  /** Bytes of unacknowledged values above which further appends wait. */
  readonly maxPendingBytes: number;
}

export interface Appender {
  /**
   * @param topic name at the brokers
   * @throws LogUnavailableError, RangeError if a record is too large
   */
  append(topic: string, partitions: number, records: readonly NewRecord[]): Promise<readonly Position[]>;
  /** Bytes of values that wait to be sent or acknowledged. */
  pendingBytes(): number;
  /** Resolves when nothing waits any more. */
  drain(): Promise<void>;
}

interface Append {
  readonly topic: string;
  readonly messages: readonly (Message & { value: Buffer; partition: number })[];
  readonly positions: Position[];
  readonly bytes: number;
  /** Number of messages already in batches. */
  sent: number;
  admitted: boolean;
  settled: boolean;
  settle(error: unknown): void;
}

export function createAppender(options: AppenderOptions): Appender {
  const { sender, lingerMs, ackTimeoutMs, maxPendingBytes } = options;
  const outside: Append[] = [];
  const queue: Append[] = [];
  let pending = 0;
  let working: Promise<void> | null = null;

  /** Admits appends while there is space, and always at least one of any size. */
  function admit(): void {
    while (outside[0] && (pending === 0 || pending + outside[0].bytes <= maxPendingBytes)) {
      const next = outside.shift()!;
      next.admitted = true;
      pending += next.bytes;
      queue.push(next);
    }
    if (queue.length > 0) working ??= work();
  }

  async function work(): Promise<void> {
    await sleep(lingerMs);
    while (queue.length > 0) {
      const parts = takeParts(queue);
      if (parts.length > 0) await sendParts(parts);
    }
    working = null;
  }

  async function sendParts(parts: readonly Part[]): Promise<void> {
    try {
      place(parts, await sender.send(toBatch(parts)));
      for (const { append, end } of parts) if (end === append.messages.length) append.settle(null);
    } catch (error) {
      for (const { append } of parts) append.settle(error);
    }
  }

  function start(topic: string, messages: Append['messages'], done: (error: unknown) => void): void {
    const append: Append = {
      topic,
      messages,
      positions: [],
      bytes: messages.reduce((sum, { value }) => sum + value.length, 0),
      sent: 0,
      admitted: false,
      settled: false,
      settle(error) {
        if (append.settled) return;
        append.settled = true;
        clearTimeout(timer);
        if (append.admitted) pending -= append.bytes;
        // The caller may reuse the memory of the values.
        if (error !== null) for (const line of [outside, queue]) drop(line, append);
        done(error ?? append.positions);
        admit();
      },
    };
    const timer = setTimeout(
      () => append.settle(new Error(`no acknowledgement within ${ackTimeoutMs} ms`)),
      ackTimeoutMs,
    );
    outside.push(append);
    admit();
  }

  return {
    append(topic, partitions, records) {
      return new Promise((resolve, reject) => {
        for (const { value } of records) {
          if (value.length + OVERHEAD_BYTES > MAX_BATCH_BYTES) {
            throw new RangeError(`a record of ${value.length} bytes is larger than the event log accepts`);
          }
        }
        const messages = records.map(({ key, value }) => {
          return { key, value, partition: partitionOf(key, partitions) };
        });
        start(topic, messages, (outcome) => {
          if (Array.isArray(outcome)) resolve(outcome);
          else reject(new LogUnavailableError('the brokers did not accept the records', { cause: outcome }));
        });
      });
    },
    pendingBytes: () => pending,
    async drain() {
      while (working) await working;
    },
  };
}

function drop<T>(line: T[], one: T): void {
  const at = line.indexOf(one);
  if (at >= 0) line.splice(at, 1);
}

/** The messages of an append from `begin` up to `end`. */
interface Part {
  readonly append: Append;
  readonly begin: number;
  readonly end: number;
}

function takeParts(queue: Append[]): Part[] {
  const parts: Part[] = [];
  let bytes = 0;
  let count = 0;
  while (queue[0]) {
    const append = queue[0];
    const begin = append.sent;
    while (append.sent < append.messages.length) {
      const size = append.messages[append.sent]!.value.length;
      if (count > 0 && (count >= BATCH_RECORDS || bytes + size > BATCH_BYTES)) break;
      bytes += size;
      count++;
      append.sent++;
    }
    if (append.sent > begin) parts.push({ append, begin, end: append.sent });
    if (append.sent < append.messages.length) break;
    queue.shift();
  }
  return parts;
}

function toBatch(parts: readonly Part[]): Batch {
  const batch = new Map<string, Append['messages'][number][]>();
  for (const { append, begin, end } of parts) {
    const messages = batch.get(append.topic) ?? [];
    batch.set(append.topic, messages);
    for (const message of append.messages.slice(begin, end)) messages.push(message);
  }
  return batch;
}

/** The messages of a partition are consecutive from its base offset. */
function place(parts: readonly Part[], baseOffsets: ReadonlyMap<string, number>): void {
  const next = new Map(baseOffsets);
  for (const { append, begin, end } of parts) {
    for (const { partition } of append.messages.slice(begin, end)) {
      const place = `${append.topic}/${partition}`;
      const offset = next.get(place)!;
      append.positions.push({ partition, offset });
      next.set(place, offset + 1);
    }
  }
}
