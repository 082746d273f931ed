import { closeSync, fsyncSync, mkdirSync, openSync } from 'node:fs';
import { type Database, open } from 'lmdb';
import {
  type Commit,
  type LogRecord,
  LogUnavailableError,
  type NewRecord,
} from '../../../shared/event-log/event-log.js';
import { type TopicName, topics } from '../../../shared/event-log/topics.js';
import { checkLogFile } from './check-file.js';
import { takeOwnership } from './owner.js';
import { decodeRecord, encodeRecord } from './record.js';

/**
 * The log on disk, in one LMDB environment: records by [topic, partition, offset], and the state, which is the number of
 * partitions, the oldest offsets, the groups and their commits. Every write is one transaction over both.
 *
 * `overlappingSync` (lmdb-js's default) is off: it shows a transaction to readers before it is on disk. A consumer could
 * then insert rows of a record that a crash removes. Its offset would be assigned to another record, and the consumer's
 * deduplication by range would drop that record as a duplicate. Without the option, a write's promise resolves after the
 * fdatasync of its pages and the synced meta page, and readers see it only then. Appends share transactions instead
 * (appender.ts).
 */

/** Most records of one read, which bounds the time that it blocks the event loop. */
const MAX_RECORDS_PER_READ = 5_000;
/** Address space (not memory) above the size limit, for freed pages that wait for reuse. */
const MAP_HEADROOM = 4 * 1024 ** 3;

export interface Extent {
  readonly oldest: number;
  readonly next: number;
}

/** Records for one partition, in order. */
export interface Placement {
  readonly topic: TopicName;
  readonly partition: number;
  readonly offset: number;
  readonly record: NewRecord;
}

export interface Store {
  /** Partitions of the topic, fixed when the log was created. */
  partitions(topic: TopicName): number;
  extent(topic: TopicName, partition: number): Extent;
  /** Records from `offset` on, in order: as many as fit into `maxBytes` of values, but at least one if there is one. */
  read(topic: TopicName, partition: number, offset: number, maxBytes: number): LogRecord[];
  /** Append time of the record, milliseconds since the epoch; undefined if there is no record. */
  appendedAt(topic: TopicName, partition: number, offset: number): number | undefined;
  /** Writes all records or none. They are durable and visible when it resolves. @throws LogUnavailableError */
  write(placements: readonly Placement[], appendedAt: number): Promise<void>;
  /** Replaces the values of existing records, all or none. Records dropped meanwhile are skipped. @throws LogUnavailableError */
  replace(topic: TopicName, records: readonly LogRecord[]): Promise<void>;
  /** Deletes the records below `oldest` in one transaction, so call it for a few records. @throws LogUnavailableError */
  drop(topic: TopicName, partition: number, oldest: number): Promise<void>;
  committed(topic: TopicName, group: string, partition: number): Commit | null;
  /** @throws LogUnavailableError */
  commit(topic: TopicName, group: string, partition: number, commit: Commit): Promise<void>;
  /** All groups that have consumed the topic. */
  groups(topic: TopicName): readonly string[];
  /** @throws LogUnavailableError */
  register(topic: TopicName, group: string): Promise<void>;
  /** Bytes of the pages with records, as of the last write. The file may be larger, since it keeps freed pages for reuse. */
  size(): number;
  close(): Promise<void>;
}

type StateKey = (string | number)[];
type RecordKey = [TopicName, number, number];

interface TreeStats {
  readonly pageSize: number;
  readonly treeBranchPageCount: number;
  readonly treeLeafPageCount: number;
  readonly overflowPages: number;
}

export interface StoreOptions {
  readonly directory: string;
  /** For topics without a fixed number, if the log is new. */
  readonly partitions: number;
  /** The log's size limit, which determines the reserved address space. */
  readonly maxBytes: number;
  /** Called if the log was created with another number of partitions than requested now. */
  onPartitionsDiffer?(topic: TopicName, kept: number, asked: number): void;
}

/** @throws EventLogInUseError if a running process uses the directory; ConfigError if its file is damaged. */
export function openStore(options: StoreOptions): Store {
  const { directory } = options;
  mkdirSync(directory, { recursive: true });
  checkLogFile(directory);
  const root = open({
    path: directory,
    noSubdir: false,
    overlappingSync: false,
    // lmdb-js (3.5) creates a promise for each turn's batch and does not handle its rejection: a full disk would end the
    // process. Related writes are grouped by batch() instead.
    eventTurnBatching: false,
    maxDbs: 4,
    mapSize: options.maxBytes * 2 + MAP_HEADROOM,
  });
  // Not compressed: a block already contains each text only once, and LZ4 would take 1.5 µs per line.
  const records = root.openDB<Buffer, RecordKey>('records', { encoding: 'binary' });
  const state = root.openDB<unknown, StateKey>('state', { encoding: 'json' });
  let release: () => void;
  try {
    release = takeOwnership(state as Database<unknown, string[]>, directory);
  } catch (error) {
    void root.close();
    throw error;
  }
  syncDirectory(directory);
  fixPartitions(state, options);
  return { ...recordsOf(records, state), ...groupsOf(state), close };

  async function close(): Promise<void> {
    try {
      release();
    } finally {
      await root.close();
    }
  }
}

function recordsOf(records: Database<Buffer, RecordKey>, state: Database<unknown, StateKey>) {
  const extents = new Map<TopicName, Extent[]>();
  for (const topic of topicNames()) {
    const partitions = state.get(['partitions', topic]) as number;
    extents.set(
      topic,
      Array.from({ length: partitions }, (_, partition) => readExtent(topic, partition)),
    );
  }
  let size = treeSize(records);
  const setExtent = (topic: TopicName, partition: number, change: Partial<Extent>) => {
    const ofTopic = extents.get(topic)!;
    ofTopic[partition] = { ...ofTopic[partition]!, ...change };
  };

  return {
    partitions: (topic: TopicName) => extents.get(topic)!.length,
    extent: (topic: TopicName, partition: number) => extents.get(topic)![partition]!,
    size: () => size,
    appendedAt(topic: TopicName, partition: number, offset: number) {
      const stored = records.get([topic, partition, offset]);
      return stored && decodeRecord(stored, partition, offset).appendedAt;
    },
    read(topic: TopicName, partition: number, offset: number, maxBytes: number) {
      // A transaction is readable shortly before its promise resolves, but is not part of the log until then.
      const { next } = extents.get(topic)![partition]!;
      return readRange(records, [topic, partition, offset], next, maxBytes);
    },
    async write(placements: readonly Placement[], appendedAt: number) {
      const rows = placements.map(({ topic, partition, offset, record }) => ({
        key: [topic, partition, offset] as RecordKey,
        value: encodeRecord(record, appendedAt),
      }));
      try {
        await settle(() =>
          records.batch(() => {
            for (const { key, value } of rows) void records.put(key, value);
          }),
        );
      } catch (error) {
        // The result of the transaction is known only from the disk.
        for (const { topic, partition } of placements) {
          setExtent(topic, partition, readExtent(topic, partition));
        }
        throw error;
      }
      for (const { topic, partition, offset } of placements) {
        setExtent(topic, partition, { next: offset + 1 });
      }
      size = treeSize(records);
    },
    async replace(topic: TopicName, changed: readonly LogRecord[]) {
      await settle(() =>
        records.batch(() => {
          for (const { partition, offset, appendedAt, ...record } of changed)
            if (offset >= extents.get(topic)![partition]!.oldest)
              void records.put([topic, partition, offset], encodeRecord(record, appendedAt));
        }),
      );
      size = treeSize(records);
    },
    async drop(topic: TopicName, partition: number, oldest: number) {
      const from = extents.get(topic)![partition]!.oldest;
      await settle(() =>
        records.batch(() => {
          for (let offset = from; offset < oldest; offset++) void records.remove([topic, partition, offset]);
          void state.put(['oldest', topic, partition], oldest);
        }),
      );
      setExtent(topic, partition, { oldest });
      size = treeSize(records);
    },
  };

  function readExtent(topic: TopicName, partition: number): Extent {
    const oldest = (state.get(['oldest', topic, partition]) as number | undefined) ?? 0;
    const end = { start: [topic, partition, Number.MAX_SAFE_INTEGER], end: [topic, partition, -1] };
    for (const [, , last] of records.getKeys({ ...end, reverse: true, limit: 1 })) {
      return { oldest, next: last + 1 };
    }
    return { oldest, next: oldest };
  }
}

function groupsOf(state: Database<unknown, StateKey>) {
  return {
    committed: (topic: TopicName, group: string, partition: number) =>
      (state.get(['commit', topic, group, partition]) as Commit | undefined) ?? null,
    commit(topic: TopicName, group: string, partition: number, { offset, metadata }: Commit) {
      return settle(() => state.put(['commit', topic, group, partition], { offset, metadata }));
    },
    groups(topic: TopicName) {
      const range = state.getKeys({ start: ['group', topic], end: ['group', topic, AFTER_ANY_NAME] });
      return [...range].map((key) => key[2] as string);
    },
    async register(topic: TopicName, group: string) {
      if (state.get(['group', topic, group]) === undefined) {
        await settle(() => state.put(['group', topic, group], true));
      }
    },
  };
}

/** LMDB counts the pages of each tree, so this takes 0.1 ms at any size. */
function treeSize(records: Database<Buffer, RecordKey>): number {
  const tree = records.getStats() as TreeStats;
  return tree.pageSize * (tree.treeBranchPageCount + tree.treeLeafPageCount + tree.overflowPages);
}

const AFTER_ANY_NAME = '\u{10ffff}';

function topicNames(): TopicName[] {
  return Object.keys(topics) as TopicName[];
}

/** The number of partitions is fixed: a change would move keys to other partitions and break their order. */
function fixPartitions(state: Database<unknown, StateKey>, options: StoreOptions): void {
  for (const topic of topicNames()) {
    const asked = topics[topic].partitions ?? options.partitions;
    const kept = state.get(['partitions', topic]) as number | undefined;
    if (kept === undefined) state.putSync(['partitions', topic], asked);
    else if (kept !== asked) options.onPartitionsDiffer?.(topic, kept, asked);
  }
}

function readRange(
  records: Database<Buffer, RecordKey>,
  from: RecordKey,
  to: number,
  maxBytes: number,
): LogRecord[] {
  const [topic, partition] = from;
  const found: LogRecord[] = [];
  let bytes = 0;
  const end = [topic, partition, to];
  for (const { key, value } of records.getRange({ start: from, end, limit: MAX_RECORDS_PER_READ })) {
    const record = decodeRecord(value, partition, key[2]);
    bytes += record.value.length;
    if (bytes > maxBytes && found.length > 0) break;
    found.push(record);
  }
  return found;
}

/** Waits for a write, and converts every error to a LogUnavailableError. */
async function settle(write: () => Promise<unknown>): Promise<void> {
  try {
    await write();
  } catch (error) {
    throw new LogUnavailableError('could not write to the event log', { cause: await reasonOf(error) });
  }
}

/** lmdb-js rejects each write of a failed transaction with an error that refers to the real error. */
async function reasonOf(error: unknown): Promise<unknown> {
  const reason = (error as { commitError?: Promise<never> }).commitError;
  return reason ? reason.catch((cause: unknown) => cause) : error;
}

/** A new file is durable only after a sync of its directory. Some systems can't sync a directory. */
function syncDirectory(directory: string): void {
  try {
    const handle = openSync(directory, 'r');
    try {
      fsyncSync(handle);
    } finally {
      closeSync(handle);
    }
  } catch {
    // On Windows the file system ensures this.
  }
}
