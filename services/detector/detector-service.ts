import type { Registry } from 'prom-client';
import type { Alert } from '../../shared/alerts/alert.js';
import { alertRecord } from '../../shared/alerts/alert-codec.js';
import { MINUTE_MS, SECOND_MS } from '../../shared/durations.js';
import { DETECTOR_GROUP } from '../../shared/event-log/consumer-groups.js';
import {
  type Commit,
  type Consumer,
  type EventLog,
  LogUnavailableError,
  type NewRecord,
} from '../../shared/event-log/event-log.js';
import { lagOf } from '../../shared/event-log/lag.js';
import { partitionOf } from '../../shared/event-log/partition-of.js';
import { lookAtUploads } from '../../shared/event-log/stored-through.js';
import type { Logger } from '../../shared/logging/log.js';
import type { NotReady } from '../../shared/service/readiness.js';
import { createProgress, type Look } from './arrivals/progress.js';
import type { Circumstances } from './evaluation/circumstances.js';
import type { DetectorCore } from './evaluation/core.js';
import { createDetectorMetrics } from './partition/detector-metrics.js';
import { createPartitionDetector, type PartitionDetector } from './partition/partition-detector.js';
import type { DetectorStore } from './tables/detector-store.js';

const TOPIC = 'requests.stored';
/** Interval between checks for due intervals, which close about 90 seconds after their end. */
const TICK_MS = 5 * SECOND_MS;
/** Longer work is stuck, because a store does not answer. */
const STUCK_AFTER_MS = MINUTE_MS;
/** Characters of learned states that a replica caches; each takes about three bytes. */
const STATE_CHARACTERS = 24 * 1024 ** 2;

export interface DetectorDependencies<State> {
  readonly log: EventLog;
  readonly store: DetectorStore;
  readonly core: DetectorCore<State>;
  /** The website's current settings from the control plane. */
  circumstancesOf(websiteId: string): Circumstances;
  isErased(websiteId: string): boolean;
  /** Syncs the store to the disk, if this process runs the store. */
  sync?(): Promise<void>;
  /** Milliseconds since the epoch. */
  now(): number;
  readonly logger: Logger;
  readonly registry: Registry;
  /** Fires when a stop no longer waits for the stores. */
  readonly drained?: AbortSignal;
  onCrash(error: Error): void;
}

export interface DetectorService {
  /** The reason if a partition is not loaded or work is stuck. */
  notReady(): NotReady;
  /**
   * Reads the log's offsets and does the due work of every partition. A timer calls it, and tests may. Never
   * rejects.
   */
  tick(): Promise<void>;
  /** Saves the states and leaves the group. The next owner repeats work that is not written yet. */
  stop(): Promise<void>;
}

/**
 * Evaluates the websites whose ids hash to the owned partitions of `requests.stored`, and raises alerts for
 * the rules' findings. The consumer group gives each partition, and so each website, exactly one owner among
 * the replicas.
 */
export async function startDetector<State>(deps: DetectorDependencies<State>): Promise<DetectorService> {
  const { log, logger, now, drained = new AbortController().signal } = deps;
  const detectors = new Map<number, PartitionDetector>();
  const progress = createProgress();
  const throughOf = (partition: number, detector: PartitionDetector) =>
    progress.through(partition, detector.position());
  const stateBudget = { most: STATE_CHARACTERS, used: 0 };
  const metrics = createDetectorMetrics(
    deps.registry,
    () => ({
      statuses: [...detectors.values()].map((detector) => detector.status()),
      through: Math.min(
        ...[...detectors].map(([partition, detector]) => throughOf(partition, detector)),
        now(),
      ),
      now: now(),
    }),
    () => lagOf(log, TOPIC, DETECTOR_GROUP),
  );

  const consuming: Promise<Consumer> = log.consume({
    topic: TOPIC,
    group: DETECTOR_GROUP,
    async onAssigned(partition, committed, lost, partitions) {
      const commit = async (one: Commit) => (await consuming).commit(partition, one);
      const detector = createPartitionDetector({
        ...partitionOn(log, partition, partitions),
        ...{ ...deps, sync: deps.sync ?? (async () => {}), metrics },
        ...{ partition, committed, lost, commit, stateBudget },
      });
      detectors.set(partition, detector);
      lost.addEventListener('abort', () => leave(partition, detector), { once: true });
    },
    async onRevoked(partition) {
      const detector = detectors.get(partition);
      if (detector !== undefined) leave(partition, detector);
    },
    onRecords: (partition, records) => detectors.get(partition)?.push(records) ?? Promise.resolve(),
    onCrash: deps.onCrash,
  });
  const consumer = await consuming;

  function leave(partition: number, detector: PartitionDetector): void {
    detector.leave();
    // The partition may be assigned to this replica again already.
    if (detectors.get(partition) === detector) detectors.delete(partition);
  }

  const look = oneAtATime(() =>
    lookAt(log, now()).then(progress.look, (error: unknown) =>
      logger.warn({ err: error }, 'the offsets of the log cannot be read'),
    ),
  );

  /** Detectors that are already working get the new time too. */
  const workAll = () =>
    [...detectors].map(([partition, detector]) => detector.work(throughOf(partition, detector)));

  // A partition that waits for a store or a person must not delay the others, so no tick waits for it.
  const ticks = setInterval(() => void look().then(() => void workAll()), TICK_MS);

  const isStuck = ({ workingSince }: { workingSince: number | null }) =>
    workingSince !== null && now() - workingSince > STUCK_AFTER_MS;

  return {
    async tick() {
      await look();
      await Promise.all(workAll());
    },
    notReady() {
      const statuses = [...detectors.values()].map((detector) => detector.status());
      if (statuses.some(isStuck)) return 'ClickHouse or the log has not accepted results for a minute';
      return statuses.every(({ isLoaded }) => isLoaded) ? null : 'a partition is not loaded from ClickHouse';
    },
    async stop() {
      clearInterval(ticks);
      const leaveAll = () => {
        for (const detector of detectors.values()) detector.leave();
      };
      if (drained.aborted) leaveAll();
      else drained.addEventListener('abort', leaveAll, { once: true });
      await Promise.all([...detectors.values()].map((detector) => detector.save()));
      leaveAll();
      await consumer.stop();
    },
  };
}

/** A call during another one does nothing. */
function oneAtATime(work: () => Promise<void>): () => Promise<void> {
  let isRunning = false;
  return async () => {
    if (isRunning) return;
    isRunning = true;
    await work().finally(() => {
      isRunning = false;
    });
  };
}

/**
 * Reads in this order: an arrival is appended before its range is committed, so the end offsets, read last,
 * include it.
 */
async function lookAt(log: EventLog, at: number): Promise<Look> {
  const uploads = await lookAtUploads(log, at);
  const ends = await log.offsets(TOPIC);
  return { ...uploads, arrivals: new Map([...ends].map(([partition, { next }]) => [partition, next])) };
}

/**
 * The log's functions for the owner of one partition.
 * @param partitions number of partitions
 */
function partitionOn(log: EventLog, partition: number, partitions: number) {
  return {
    async oldest() {
      const offsets = await log.offsets(TOPIC);
      const own = offsets.get(partition);
      if (own === undefined)
        throw new LogUnavailableError(`${TOPIC}: partition ${partition} is not known yet`);
      return own.oldest;
    },
    isOwn: (websiteId: string) => partitionOf(websiteId, partitions) === partition,
    async forward(records: readonly NewRecord[]) {
      await log.append(TOPIC, records, partitions);
    },
    async sendAlerts(alerts: readonly Alert[]) {
      await log.append('alerts', alerts.map(alertRecord));
    },
  };
}
