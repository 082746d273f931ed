import type { Alert } from '../../../shared/alerts/alert.js';
import {
  type Commit,
  type LogRecord,
  type NewRecord,
  StaleAssignmentError,
} from '../../../shared/event-log/event-log.js';
import { warnLimited } from '../../../shared/logging/limit-warnings.js';
import type { Logger } from '../../../shared/logging/log.js';
import { inPieces } from '../../../shared/pacing/in-pieces.js';
import { createTurns } from '../../../shared/pacing/turns.js';
import type { Circumstances } from '../evaluation/circumstances.js';
import type { DetectorCore } from '../evaluation/core.js';
import type { DetectorStore } from '../tables/detector-store.js';
import { CHECKPOINT_MS, saveArrivals, saveCheckpoint } from './checkpoints.js';
import type { DetectorMetrics } from './detector-metrics.js';
import { createEvaluation } from './evaluate-due.js';
import { keepTrying, PartitionLeftError, type Trying } from './keep-trying.js';
import { createLearnedStates } from './learned-states.js';
import { loadPartition } from './load-partition.js';
import type { PartitionStatus } from './partition-status.js';
import { recountHealth } from './recount-health.js';
import { type CacheBudget, createStateCache } from './state-cache.js';
import { createArrivalTaker, type PartitionMemory } from './take-arrivals.js';
import { createOutcomeWriter } from './write-outcome.js';

/** Notes the records of one partition of `requests.stored`, and evaluates its websites. */
export interface PartitionDetector {
  /** Notes the records. Resolves when it can accept more, which is the consumer's back-pressure. */
  push(records: readonly LogRecord[]): Promise<void>;
  /** The next offset to note. */
  position(): number;
  /**
   * Evaluates the due intervals, writes the results, and saves a checkpoint every five minutes. A call during
   * another one only waits for that one. Never rejects.
   * @param through time up to which every arrival is noted (arrivals/progress.ts)
   */
  work(through: number): Promise<void>;
  /** Saves a checkpoint now, unless the partition is not loaded or blocked. Never rejects. */
  save(): Promise<void>;
  status(): PartitionStatus;
  /** No further write begins after this call. */
  leave(): void;
}

export interface PartitionDependencies<State> {
  readonly partition: number;
  readonly committed: Commit | null;
  /** Aborted when the partition has another owner. */
  readonly lost: AbortSignal;
  commit(commit: Commit): Promise<void>;
  /**
   * Oldest offset of the partition.
   * @throws LogUnavailableError if it is not known
   */
  oldest(): Promise<number>;
  /** Whether the website belongs to this partition, with the number of partitions at assignment. */
  isOwn(websiteId: string): boolean;
  /** Appends records to `requests.stored` again, to the partition they belong to now. */
  forward(records: readonly NewRecord[]): Promise<void>;
  sendAlerts(alerts: readonly Alert[]): Promise<void>;
  readonly core: DetectorCore<State>;
  readonly store: DetectorStore;
  circumstancesOf(websiteId: string): Circumstances;
  isErased(websiteId: string): boolean;
  sync(): Promise<void>;
  /** Memory for the learned states of all partitions of this replica. */
  readonly stateBudget: CacheBudget;
  /** For tests: characters of states in one insert. */
  readonly insertBytes?: number;
  now(): number;
  readonly metrics: DetectorMetrics;
  readonly logger: Logger;
  onCrash(error: Error): void;
}

/** Websites whose health is recounted before other websites are evaluated. */
const RECOUNTED_AT_ONCE = 50;

export function createPartitionDetector<State>(deps: PartitionDependencies<State>): PartitionDetector {
  const { now } = deps;
  const leaving = new AbortController();
  const left = AbortSignal.any([deps.lost, leaving.signal]);
  const parts = openParts(deps, left);
  const { memory, clock } = parts;
  let isLoaded = false;
  let savedAt: number | null = null;
  let checkpointDue = now() + CHECKPOINT_MS;
  let working: Promise<void> | null = null;
  let through = 0;
  const loading = parts.load().then(() => {
    isLoaded = true;
  }, ended);
  left.addEventListener('abort', () => parts.cache.clear(), { once: true });

  /** Ends the work of a lost partition. Any other error is a crash. */
  function ended(error: unknown): void {
    const isLeft =
      left.aborted || error instanceof PartitionLeftError || error instanceof StaleAssignmentError;
    leaving.abort();
    if (!isLeft) deps.onCrash(error instanceof Error ? error : new Error(String(error)));
  }

  async function checkpoint(): Promise<void> {
    await parts.recountHealth(() => through);
    await parts.save();
    savedAt = now();
    checkpointDue = savedAt + CHECKPOINT_MS;
  }

  async function judgeAndSave(): Promise<void> {
    await parts.judgeAndWrite(() => through);
    if (memory.toForget.length > 0 || now() >= checkpointDue) await checkpoint();
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

  return {
    async push(records) {
      await loading;
      if (isLoaded) await parts.take(records).catch(ended);
      // If other work runs, the next call of `work` handles the request.
      if (memory.toForget.length > 0 && !left.aborted) await alone(judgeAndSave);
    },
    position: () => memory.position,
    work(until) {
      // Running work uses the new time from its next piece on.
      through = Math.max(through, until);
      return alone(judgeAndSave);
    },
    async save() {
      if (!isLoaded || parts.isBlocked()) return;
      await working;
      await alone(checkpoint);
    },
    status: () => ({
      isLoaded: isLoaded && !parts.isBlocked(),
      websites: memory.websites.size,
      savedAt,
      workingSince: clock.since(),
    }),
    leave: () => leaving.abort(),
  };
}

/** Connects the parts of an owner's work over shared memory. */
function openParts<State>(deps: PartitionDependencies<State>, left: AbortSignal) {
  const { committed: found, metrics, now } = deps;
  const { trying, isBlocked } = createTrying(deps, left);
  const giveTurn = createTurns();
  const clock = createWorkClock(now);
  const memory: PartitionMemory = { websites: new Map(), position: found?.offset ?? 0, toForget: [] };
  let committed = memory.position;
  const commit = async (offset: number) => {
    await deps.commit({ offset, metadata: '' });
    committed = offset;
  };
  const cache = createStateCache<State>(deps.stateBudget);
  const shared = { ...deps, memory, cache, trying, giveTurn, checkOwner: () => commit(committed) };
  const writer = createOutcomeWriter(shared);
  const states = createLearnedStates(shared);
  const evaluation = createEvaluation({ ...shared, states });

  /** @param through read before each piece, since it may have advanced */
  async function judgeAndWrite(through: () => number): Promise<void> {
    for (let isDone = false; !isDone; ) {
      const restarted = evaluation.restartEvaluations(memory.websites, through());
      if (restarted.length > 0) await clock.during(() => saveArrivals(restarted, shared));
      const evaluated = await clock.during(() => evaluation.evaluate(memory.websites, through()));
      await clock.during(() => writer.write(evaluated));
      await clock.during(() => states.save(evaluated.states));
      for (const { type } of evaluated.alerts) metrics.alerts.inc({ type });
      isDone = evaluated.isDone;
    }
  }

  return {
    memory,
    cache,
    clock,
    isBlocked,
    take: createArrivalTaker(shared),
    load: () =>
      keepTrying(async () => {
        const oldest = await deps.oldest();
        if (found === null) committed = oldest;
        memory.position = Math.max(memory.position, oldest);
        const isOwn = (id: string) => deps.isOwn(id) && !deps.isErased(id);
        const websites = await loadPartition({
          ...shared,
          now: now(),
          isOwn,
          sendRecords: writer.sendRecords,
        });
        for (const [id, website] of websites) memory.websites.set(id, website);
      }, trying),
    judgeAndWrite,
    /**
     * Intervals that become due meanwhile are evaluated between websites: recounting many must not delay
     * them.
     */
    async recountHealth(through: () => number): Promise<void> {
      const changed = [...memory.websites.values()].filter(({ arrivals }) => arrivals.changed.size > 0);
      for (const some of inPieces(changed, RECOUNTED_AT_ONCE)) {
        for (const website of some) {
          website.isChanged = true;
          await clock.during(() => recountHealth(website, { ...shared, writer }));
        }
        if (some.length === RECOUNTED_AT_ONCE) await judgeAndWrite(through);
      }
    },
    save: () => clock.during(() => saveCheckpoint({ ...shared, states, commit })),
  };
}

/** The retry policy of an owner, and whether an unreadable row blocks its partition. */
function createTrying(
  { partition, logger, metrics }: Pick<PartitionDependencies<unknown>, 'partition' | 'logger' | 'metrics'>,
  left: AbortSignal,
) {
  let isBlocked = false;
  const trying: Trying = {
    left,
    onFailure: (error: unknown, retryInMs: number) => {
      metrics.retries.inc();
      warnLimited(
        logger,
        { err: error, partition, retry_in_ms: retryInMs },
        'the detector waits for ClickHouse or the log',
      );
    },
    // Only this partition waits. A crash would recur at each start.
    onUnreadable(error, retryInMs) {
      isBlocked = true;
      metrics.retries.inc();
      logger.error(
        { err: error, partition, retry_in_ms: retryInMs },
        'stored rows cannot be read: the partition waits',
      );
    },
    onReadable() {
      isBlocked = false;
    },
  };
  return { trying, isBlocked: () => isBlocked };
}

/** Start of the running work with the stores; null: none runs. */
function createWorkClock(now: () => number) {
  let since: number | null = null;
  return {
    since: () => since,
    async during<T>(work: () => Promise<T>): Promise<T> {
      since = now();
      const result = await work();
      since = null;
      return result;
    },
  };
}
