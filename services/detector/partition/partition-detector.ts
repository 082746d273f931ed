import type { Alert } from '../../../shared/alerts/alert.js';
import { type Commit, type LogRecord, StaleAssignmentError } from '../../../shared/event-log/event-log.js';
import type { Logger } from '../../../shared/log.js';
import { createTurns } from '../../../shared/turns.js';
import type { Circumstances } from '../circumstances.js';
import type { DetectorCore } from '../core.js';
import type { DetectorStore } from '../detector-store.js';
import { keepTrying, PartitionLeftError, type Trying } from '../keep-trying.js';
import type { DetectorMetrics } from '../metrics.js';
import { CHECKPOINT_MS, saveCheckpoint } from './checkpoints.js';
import { type Books, createSignalCounter } from './count-signals.js';
import { type CountedTimes, createEvaluation } from './evaluate-due.js';
import { loadPartition } from './load-partition.js';
import { shortOf } from './open-intervals.js';
import type { PartitionStatus } from './partition-status.js';
import { createOutcomeWriter } from './write-outcome.js';

/** Whatever is counted of one partition of `requests.signals`, and what is found in it. */
export interface PartitionDetector {
  /** Counts the records; resolves when more may come: the consumer's back-pressure. */
  push(records: readonly LogRecord[]): Promise<void>;
  /** The next offset that is to be counted. */
  position(): number;
  /**
   * Closes and judges what is due, writes what was found, and now and then saves the states. One call at a time: another one while it
   * runs waits for its end and does nothing. Never rejects.
   * @param through up to when everything is counted (signals/progress.ts)
   */
  work(through: number): Promise<void>;
  /** Saves the states now, if nothing stands in the way. Never rejects. */
  save(): Promise<void>;
  status(): PartitionStatus;
  /** Begins no further write. */
  leave(): void;
}

export interface PartitionDependencies<State> {
  readonly partition: number;
  readonly committed: Commit | null;
  /** Aborted when the partition is another's. */
  readonly lost: AbortSignal;
  commit(commit: Commit): Promise<void>;
  /** Oldest offset of the partition, and the next one to be given of each. @throws LogUnavailableError where not all of them are known */
  extent(): Promise<{ readonly oldest: number; readonly ends: ReadonlyMap<number, number> }>;
  /** Whether signals of the website come to this partition, of as many as the group shared out. */
  isOwn(websiteId: string): boolean;
  /** Appends records to `requests.signals` again, to the partition that is theirs now, with where they stood. */
  forward(records: readonly LogRecord[]): Promise<void>;
  sendAlerts(alerts: readonly Alert[]): Promise<void>;
  readonly core: DetectorCore<State>;
  readonly store: DetectorStore;
  circumstancesOf(websiteId: string): Circumstances;
  isErased(websiteId: string): boolean;
  sync(): Promise<void>;
  /** What the open intervals of each partition of this replica weigh, this one's among them. */
  openWeights(): readonly number[];
  /** For tests: characters of states after which they are inserted. */
  readonly insertBytes?: number;
  now(): number;
  readonly metrics: DetectorMetrics;
  readonly logger: Logger;
  onCrash(error: Error): void;
}

export function createPartitionDetector<State>(deps: PartitionDependencies<State>): PartitionDetector {
  const { now } = deps;
  const leaving = new AbortController();
  const left = AbortSignal.any([deps.lost, leaving.signal]);
  const parts = openParts(deps, left);
  const { books, judgeAndWrite, clock, isShort } = parts;
  let isLoaded = false;
  let savedAt: number | null = null;
  let checkpointDue = now() + CHECKPOINT_MS;
  let working: Promise<void> | null = null;
  const times = { through: 0, counted: 0 };
  const loading = parts.load().then(() => {
    isLoaded = true;
  }, ended);

  /** What is left is not done here any more. Anything else is not to be gone on from. */
  function ended(error: unknown): void {
    const isLeft =
      left.aborted || error instanceof PartitionLeftError || error instanceof StaleAssignmentError;
    leaving.abort();
    if (!isLeft) deps.onCrash(error instanceof Error ? error : new Error(String(error)));
  }

  async function checkpoint(): Promise<void> {
    // Asked again while it runs, it runs again: it may have saved the website before.
    books.isSaveAsked = false;
    await parts.saveAll(() => judgeAndWrite(times));
    savedAt = now();
    checkpointDue = savedAt + CHECKPOINT_MS;
  }

  async function judgeAndSave(): Promise<void> {
    await judgeAndWrite(times);
    await parts.rewriteHealth(times);
    if (books.isSaveAsked || now() >= checkpointDue) await checkpoint();
  }

  function alone(work: () => Promise<void>): Promise<void> {
    working ??= loading
      .then(async () => {
        if (!left.aborted) await work();
      })
      .catch(ended)
      .finally(() => {
        working = null;
      });
    return working;
  }

  async function count(records: readonly LogRecord[]): Promise<void> {
    await loading;
    if (isLoaded) await parts.count(records);
  }

  return {
    async push(records) {
      await count(records).catch(ended);
      while (isShort() && !left.aborted) {
        const before = books.open.count;
        // Records of other partitions, and what the enrichers have still to do, may say more of that time: `through` stays.
        times.counted = Math.max(times.counted, records.at(-1)!.appendedAt);
        await alone(() => judgeAndWrite(times));
        if (books.open.count === before) break;
      }
      // Where other work runs, the next look does it.
      if (books.isSaveAsked && !left.aborted) await alone(judgeAndSave);
    },
    position: () => books.position,
    work(through) {
      // What runs may go by it already.
      times.through = Math.max(times.through, through);
      times.counted = Math.max(times.counted, through);
      return alone(judgeAndSave);
    },
    async save() {
      // What waits to be read has nothing to save.
      if (!isLoaded || parts.isBlocked()) return;
      await working;
      await alone(checkpoint);
    },
    status: () => ({
      isLoaded: isLoaded && !parts.isBlocked(),
      websites: books.websites.size,
      openIntervals: books.open.count,
      openWeight: books.open.weight,
      savedAt,
      writingSince: clock.since(),
    }),
    leave: () => leaving.abort(),
  };
}

/** The works of an owner, on the same books. */
function openParts<State>(deps: PartitionDependencies<State>, left: AbortSignal) {
  const { partition, committed: found, logger, metrics, now } = deps;
  let isBlocked = false;
  const trying: Trying = {
    left,
    onFailure: (error: unknown, retryInMs: number) => {
      metrics.retries.inc();
      logger.warn({ err: error, partition, retry_in_ms: retryInMs }, 'the detector waits for the stores');
    },
    // The partition waits, and no other: a process that ended of it would do so at each start.
    onUnreadable(error, retryInMs) {
      isBlocked = true;
      metrics.retries.inc();
      logger.error(
        { err: error, partition, retry_in_ms: retryInMs },
        'what is stored can not be read: the partition waits',
      );
    },
    onReadable() {
      isBlocked = false;
    },
  };
  const giveTurn = createTurns();
  const clock = createWriteClock(now);
  const position = found?.offset ?? 0;
  const books: Books<State> = {
    ...{ websites: new Map(), position, end: 0 },
    ...{ open: { count: 0, weight: 0 }, isSaveAsked: false },
  };
  let committed = position;
  const commit = async (offset: number) => {
    await deps.commit({ offset, metadata: '' });
    committed = offset;
  };
  const lacking = () => shortOf(books.open, deps.openWeights());
  const shared = { ...deps, books, trying, giveTurn };
  const writer = createOutcomeWriter({ ...shared, checkOwner: () => commit(committed) });
  const evaluation = createEvaluation({ ...shared, open: books.open, shortOf: lacking });

  async function judgeAndWrite(times: CountedTimes): Promise<void> {
    for (let isDone = false; !isDone; ) {
      const evaluated = await evaluation.evaluate(books.websites, times);
      await clock.during(() => writer.write(evaluated.outcome));
      for (const { type } of evaluated.outcome.alerts) metrics.alerts.inc({ type });
      isDone = evaluated.isDone;
    }
  }

  return {
    books,
    clock,
    isBlocked: () => isBlocked,
    count: createSignalCounter({ ...shared, writer }),
    load: () =>
      keepTrying(async () => {
        const { oldest, ends } = await deps.extent();
        const end = ends.get(partition) ?? 0;
        const isOwn = (id: string) => deps.isOwn(id) && !deps.isErased(id);
        if (found === null) committed = oldest;
        Object.assign(books, { end, position: Math.max(position, oldest) });
        const websites = await loadPartition({ ...shared, ends, now: now(), isOwn, tell: writer.tell });
        for (const [id, website] of websites) {
          books.websites.set(id, website);
          books.open.count += website.signals.open.size;
          books.open.weight += website.signals.openWeight;
        }
      }, trying),
    isShort: () => lacking() !== null,
    judgeAndWrite,
    /** Of what came late. What has become due meanwhile is judged between two websites. */
    async rewriteHealth(times: CountedTimes): Promise<void> {
      for (const website of [...books.websites.values()]) {
        if (website.signals.changed.size === 0) continue;
        await clock.during(() => writer.rewriteHealth(website));
        await judgeAndWrite(times);
      }
    },
    saveAll: (closeDue: () => Promise<void>) =>
      saveCheckpoint({
        ...shared,
        websites: books.websites,
        position: () => books.position,
        commit,
        closeDue,
        during: clock.during,
      }),
  };
}

/** Since when a write runs: null where none does. */
function createWriteClock(now: () => number) {
  let since: number | null = null;
  return {
    since: () => since,
    async during(write: () => Promise<void>): Promise<void> {
      since = now();
      await write();
      since = null;
    },
  };
}
