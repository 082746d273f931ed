import type { TopicName } from './topics.js';

/**
 * The port to the event log. Two forms: LMDB (embedded) and Apache Kafka; both pass the suite in
 * test/harness/event-log. Offsets count from 0 in each partition without gaps visible to a consumer's order:
 * a later record has a higher offset.
 */

export interface NewRecord {
  /** Decides the partition: equal keys share one. */
  readonly key: string;
  readonly value: Buffer;
}

export interface LogRecord extends NewRecord {
  readonly partition: number;
  readonly offset: number;
  /** When the log took it, milliseconds since the epoch. */
  readonly appendedAt: number;
}

export interface Position {
  readonly partition: number;
  readonly offset: number;
}

/** What a group has committed for a partition: `offset` is the next one to read. */
export interface Commit {
  readonly offset: number;
  /** Free text of the consumer, at most 4,096 characters; the planned range of the enricher sits here. */
  readonly metadata: string;
}

export interface ConsumeOptions {
  readonly topic: TopicName;
  readonly group: string;
  /** Most bytes of values handed over in one call; at least one record is. Default 4 MiB. */
  readonly maxBytes?: number;
  /**
   * Before the first record of a newly assigned partition. `partitions` is how many the topic had when they were shared out: every
   * consumer of the group is told the same number, and each is told anew when there are more. `committed` is null where the group never committed; then reading starts at the oldest record.
   * `lost` is aborted in the moment the partition is no longer this consumer's (fenced, session over, crashed); a graceful revocation does not abort it.
   */
  onAssigned?(
    partition: number,
    committed: Commit | null,
    lost: AbortSignal,
    partitions: number,
  ): Promise<void>;
  /** The partition is no longer ours; what was read and not committed will be read by its next owner. */
  onRevoked?(partition: number): Promise<void>;
  /**
   * Records of one partition in offset order. Called once at a time for each partition; the next call waits
   * for the promise (this is the back-pressure). Resolving does not commit. Rejecting ends the consumer
   * through `onCrash`.
   */
  onRecords(partition: number, records: readonly LogRecord[]): Promise<void>;
  /** The consumer can't go on; the process should exit. */
  onCrash(error: Error): void;
}

export interface Consumer {
  /**
   * Durable when it resolves.
   * @throws StaleAssignmentError where the partition has gone to another consumer: nothing of it may be written any more.
   */
  commit(partition: number, commit: Commit): Promise<void>;
  /** Leaves the group after the running `onRecords` calls, then `onRevoked` of each partition. Commits still work until it resolves. */
  stop(): Promise<void>;
}

export interface TailOptions {
  readonly topic: TopicName;
  /**
   * For topics of one partition: offset of the first record wanted. Records before it are not handed over; where they
   * are no longer held, reading begins at the oldest. It may lie beyond the end. Default: the oldest.
   */
  readonly from?: number | undefined;
  /** Every record of the topic from `from` on, in order within a partition, one call at a time. */
  onRecords(records: readonly LogRecord[]): void | Promise<void>;
  onCrash(error: Error): void;
}

export interface Tail {
  /** Resolves when every wanted record that stood in the log at the start has been handed over; rejects where the tail ends before, with the error of `onCrash`. */
  readonly caughtUp: Promise<void>;
  stop(): Promise<void>;
}

export interface EventLog {
  /**
   * Appends in order, each record to the partition of its key. Values must stay as they are until it resolves.
   * Resolves when all are durable (fsync, or acks=all); rejects with LogUnavailableError when they may not be.
   * @param partitions the topic is known to have so many: told where keys have to be shared out over no fewer
   */
  append(topic: TopicName, records: readonly NewRecord[], partitions?: number): Promise<readonly Position[]>;
  /** Joins the group. Resolves before the first `onAssigned`, so that handlers can use the consumer. */
  consume(options: ConsumeOptions): Promise<Consumer>;
  tail(options: TailOptions): Promise<Tail>;
  /** What the group has committed, by partition; partitions without a commit are absent. */
  committed(topic: TopicName, group: string): Promise<ReadonlyMap<number, Commit>>;
  /** Oldest offset still held and the next offset to be given, by partition. */
  offsets(topic: TopicName): Promise<ReadonlyMap<number, { readonly oldest: number; readonly next: number }>>;
  /**
   * Puts other records in the place of those that are there: for erasure alone. `change` gives what is to stand there, or null
   * to leave a record as it is. It stays in its partition, whatever its key. What was read before is not told. Absent where records can't be changed (Kafka): there they
   * go with their age.
   * @returns how many were changed. @throws LogUnavailableError
   */
  rewrite?(topic: TopicName, change: (record: LogRecord) => NewRecord | null): Promise<number>;
  close(): Promise<void>;
}

/** The log did not take the records (broker away, disk full, size limit reached with unread records). */
export class LogUnavailableError extends Error {}

/** A commit for a partition that this consumer does not own any more. */
export class StaleAssignmentError extends Error {}

/**
 * The log no longer holds what was read of it: it ends before, or other records stand there (a broker lost its tail,
 * or the topic was made anew). The message tells the operator what to do.
 */
export class LogDivergedError extends Error {}
