import {
  type Commit,
  type ConsumeOptions,
  type Consumer,
  type EventLog,
  type LogRecord,
  LogUnavailableError,
  type NewRecord,
  type Position,
  StaleAssignmentError,
  type Tail,
  type TailOptions,
} from '../../shared/event-log/event-log.js';
import { logDiverged } from '../../shared/event-log/log-diverged.js';
import { partitionOf } from '../../shared/event-log/partition-of.js';
import { type TopicName, topics } from '../../shared/event-log/topics.js';

/**
 * The event log in memory, for tests of its users: order, offsets, commits, groups and back-pressure are
 * those of the port. It is not durable and never deletes records, and a group has one consumer at a time.
 */
export interface MemoryEventLog extends EventLog {
  /** All records of a topic, partition by partition. */
  records(topic: TopicName): readonly LogRecord[];
}

const DEFAULT_MAX_BYTES = 4 * 1024 ** 2;

interface Reader {
  stop(): Promise<void>;
}

export function createMemoryEventLog(partitions = 2, now: () => number = Date.now): MemoryEventLog {
  const stored = new Map<TopicName, LogRecord[][]>();
  const commits = new Map<string, Map<number, Commit>>();
  const consumed = new Set<string>();
  const readers = new Set<Reader>();
  let wake: (() => void)[] = [];
  let closed = false;

  function partitionsOf(topic: TopicName): LogRecord[][] {
    let lists = stored.get(topic);
    if (lists === undefined) {
      lists = Array.from({ length: topics[topic].partitions ?? partitions }, () => []);
      stored.set(topic, lists);
    }
    return lists;
  }

  function commitsOf(topic: TopicName, group: string): Map<number, Commit> {
    const name = `${topic} ${group}`;
    const known = commits.get(name) ?? new Map<number, Commit>();
    commits.set(name, known);
    return known;
  }

  async function append(topic: TopicName, records: readonly NewRecord[]): Promise<readonly Position[]> {
    if (closed) throw new Error('the log is closed');
    const lists = partitionsOf(topic);
    const positions = records.map(({ key, value }) => {
      const partition = partitionOf(key, lists.length);
      const offset = lists[partition]!.length;
      lists[partition]!.push({ key, value: Buffer.from(value), partition, offset, appendedAt: now() });
      return { partition, offset };
    });
    const woken = wake;
    wake = [];
    for (const resume of woken) resume();
    return positions;
  }

  /** Reads one partition until stopped; `handle` is awaited before the next call. */
  function readPartition(
    list: readonly LogRecord[],
    from: number,
    maxBytes: number,
    handle: (records: readonly LogRecord[]) => void | Promise<void>,
    onCrash: (error: Error) => void,
  ): Reader {
    let stopped = false;
    let next = from;
    const run = async () => {
      while (!stopped) {
        const records = take(list, next, maxBytes);
        if (records.length === 0) await new Promise<void>((resolve) => wake.push(resolve));
        else {
          await handle(records);
          next += records.length;
        }
      }
    };
    const running = run().catch((error: unknown) => {
      if (!stopped) onCrash(error instanceof Error ? error : new Error(String(error)));
    });
    const reader: Reader = {
      async stop() {
        stopped = true;
        for (const resume of wake) resume();
        await running;
        readers.delete(reader);
      },
    };
    readers.add(reader);
    return reader;
  }

  async function consume(options: ConsumeOptions): Promise<Consumer> {
    const name = `${options.topic} ${options.group}`;
    if (consumed.has(name)) throw new Error(`${name}: this log supports one consumer of a group at a time`);
    consumed.add(name);
    const known = commitsOf(options.topic, options.group);
    const lists = partitionsOf(options.topic);
    const lost = new AbortController();
    const crash = (error: Error) => {
      lost.abort(new StaleAssignmentError(`${name}: crashed`));
      options.onCrash(error);
    };
    for (const [partition, { length: end }] of lists.entries()) {
      const committed = known.get(partition) ?? null;
      const read = committed?.offset ?? 0;
      await options.onAssigned?.(partition, committed, lost.signal, lists.length);
      if (read > end) crash(logDiverged({ ...options, partition, read, end }));
    }
    const maxBytes = options.maxBytes ?? DEFAULT_MAX_BYTES;
    const running = [...lists.entries()].map(([partition, list]) =>
      readPartition(
        list,
        known.get(partition)?.offset ?? 0,
        maxBytes,
        (records) => options.onRecords(partition, records),
        crash,
      ),
    );
    let stopped = false;
    return {
      async commit(partition, commit) {
        if (stopped || lost.signal.aborted || !lists[partition])
          throw new StaleAssignmentError(`${name}: partition ${partition}`);
        known.set(partition, { ...commit });
      },
      async stop() {
        await Promise.all(running.map((reader) => reader.stop()));
        stopped = true;
        consumed.delete(name);
      },
    };
  }

  async function tail(options: TailOptions): Promise<Tail> {
    const { topic, from = 0 } = options;
    const lists = partitionsOf(topic);
    const behind = new Set([...lists.keys()].filter((partition) => lists[partition]!.length > from));
    const ends = lists.map((list) => list.length);
    let resolveCaughtUp = () => {};
    let missed: (error: Error) => void = () => {};
    const caughtUp = new Promise<void>((resolve, reject) => {
      resolveCaughtUp = resolve;
      missed = reject;
    });
    caughtUp.catch(() => {});
    const onCrash = (error: Error) => {
      missed(error);
      options.onCrash(error);
    };
    if (behind.size === 0) resolveCaughtUp();
    // One call at a time over all partitions.
    let turn: Promise<void> = Promise.resolve();
    const handle = (partition: number) => (records: readonly LogRecord[]) => {
      const call = turn.then(() => options.onRecords(records));
      turn = call.catch(() => {});
      return call.then(() => {
        if (records.at(-1)!.offset + 1 >= ends[partition]!) behind.delete(partition);
        if (behind.size === 0) resolveCaughtUp();
      });
    };
    const running = [...lists.entries()].map(([partition, list]) =>
      readPartition(list, from, DEFAULT_MAX_BYTES, handle(partition), onCrash),
    );
    return {
      caughtUp,
      async stop() {
        await Promise.all(running.map((reader) => reader.stop()));
        missed(new LogUnavailableError(`the tail of ${topic} was stopped`));
      },
    };
  }

  return {
    append,
    consume,
    tail,
    committed: async (topic, group) => new Map(commitsOf(topic, group)),
    offsets: async (topic) =>
      new Map(partitionsOf(topic).map((list, partition) => [partition, { oldest: 0, next: list.length }])),
    async close() {
      closed = true;
      await Promise.all([...readers].map((reader) => reader.stop()));
    },
    records: (topic) => partitionsOf(topic).flat(),
  };
}

/** The records from `from` on that fit into `maxBytes`, at least one if any exists. */
function take(list: readonly LogRecord[], from: number, maxBytes: number): readonly LogRecord[] {
  let bytes = 0;
  let to = from;
  for (; to < list.length; to++) {
    bytes += list[to]!.value.length;
    if (to > from && bytes > maxBytes) break;
  }
  return list.slice(from, to);
}
