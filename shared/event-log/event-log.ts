import type { TopicName } from './topics.js';

/**
 * The port to the event log, with two implementations: LMDB (embedded) and Apache Kafka. Both pass the suite in
 * test/harness/event-log. Offsets count from 0 in each partition: a later record has a higher offset. They may have
 * gaps, which do not affect a consumer's order.
 */

export interface NewRecord {
  /** Determines the partition: equal keys share one. */
  readonly key: string;
  readonly value: Buffer;
}

export interface LogRecord extends NewRecord {
  readonly partition: number;
  readonly offset: number;
  /** Time of the append, milliseconds since the epoch. */
  readonly appendedAt: number;
}

export interface Position {
  readonly partition: number;
  readonly offset: number;
}

/** A group's commit for a partition: `offset` is the next one to read. */
export interface Commit {
  readonly offset: number;
  /** Free text of the consumer, at most 4,096 characters. The enricher stores its planned range here. */
  readonly metadata: string;
}

export interface ConsumeOptions {
  readonly topic: TopicName;
  readonly group: string;
  /** Most bytes of values in one call, but at least one record. Default 4 MiB. */
  readonly maxBytes?: number;
  /**
   * Called before the first record of a newly assigned partition.
   * @param committed null if the group never committed; reading then starts at the oldest record.
   * @param lost is aborted as soon as the consumer loses the partition (fenced, session expired, crashed), but not on a
   * graceful revocation.
   * @param partitions is the topic's number of partitions in this assignment. Every consumer of the group gets the same
   * number, and a new call when it grows.
   */
  onAssigned?(
    partition: number,
    committed: Commit | null,
    lost: AbortSignal,
    partitions: number,
  ): Promise<void>;
  /** The partition is no longer ours. Its next owner reads uncommitted records again. */
  onRevoked?(partition: number): Promise<void>;
  /**
   * Records of one partition in offset order. Called sequentially for each partition: the next call waits for the
   * promise (back-pressure). Resolving does not commit. Rejecting ends the consumer through `onCrash`.
   */
  onRecords(partition: number, records: readonly LogRecord[]): Promise<void>;
  /** The consumer cannot continue; the process should exit. */
  onCrash(error: Error): void;
}

export interface Consumer {
  /**
   * Durable when it resolves.
   * @throws StaleAssignmentError if another consumer owns the partition: this consumer must not write anything more of
   * it.
   */
  commit(partition: number, commit: Commit): Promise<void>;
  /**
   * Leaves the group after the running `onRecords` calls and then `onRevoked` of each partition. Commits still work
   * until it resolves.
   */
  stop(): Promise<void>;
}

export interface TailOptions {
  readonly topic: TopicName;
  /**
   * For topics of one partition: offset of the first record. Earlier records are skipped. If the offset is no longer
   * stored, reading begins at the oldest record. It may be beyond the end. Default: the oldest.
   */
  readonly from?: number | undefined;
  /** Every record of the topic from `from` on, in order within a partition, one call at a time. */
  onRecords(records: readonly LogRecord[]): void | Promise<void>;
  onCrash(error: Error): void;
}

export interface Tail {
  /**
   * Resolves when all records that were in the log at the start have been delivered. Rejects with the error of
   * `onCrash` if the tail ends earlier.
   */
  readonly caughtUp: Promise<void>;
  stop(): Promise<void>;
}

export interface EventLog {
  /**
   * Appends in order, each record to the partition of its key. Values must not change until it resolves. Resolves when
   * all are durable (fsync, or acks=all); rejects with LogUnavailableError if they may not be.
   * @param partitions known number of the topic's partitions, if keys must be distributed over at least as many
   */
  append(topic: TopicName, records: readonly NewRecord[], partitions?: number): Promise<readonly Position[]>;
  /** Joins the group. Resolves before the first `onAssigned`, so that handlers can use the consumer. */
  consume(options: ConsumeOptions): Promise<Consumer>;
  tail(options: TailOptions): Promise<Tail>;
  /** The group's commits by partition; partitions without a commit are absent. */
  committed(topic: TopicName, group: string): Promise<ReadonlyMap<number, Commit>>;
  /** Oldest stored offset and next offset, by partition. */
  offsets(topic: TopicName): Promise<ReadonlyMap<number, { readonly oldest: number; readonly next: number }>>;
  /**
   * Replaces stored records, for erasure only. `change` returns the replacement, or null to keep a record. It stays in
   * its partition, regardless of its key. Readers are not notified. Absent if records cannot be changed (Kafka): there
   * they expire.
   * @returns number of changed records. @throws LogUnavailableError
   */
  rewrite?(topic: TopicName, change: (record: LogRecord) => NewRecord | null): Promise<number>;
  close(): Promise<void>;
}

/** The log did not accept the records (broker unavailable, disk full, size limit reached with unread records). */
export class LogUnavailableError extends Error {}

/** A commit for a partition that this consumer no longer owns. */
export class StaleAssignmentError extends Error {}

/**
 * The log lacks records that were read: it ends earlier, or has other records at their offsets. A broker lost its tail,
 * or the topic was recreated. The message contains instructions for the operator.
 */
export class LogDivergedError extends Error {}
