import type { Alert } from '../../../shared/alerts/alert.js';
import type { Signal } from '../../../shared/detection/signal.js';
import { decodeSignal } from '../../../shared/detection/signal-codec.js';
import { type Commit, type LogRecord, StaleAssignmentError } from '../../../shared/event-log/event-log.js';
import type { Logger } from '../../../shared/log.js';
import { createTurns } from '../../../shared/turns.js';
import type { Circumstances, DetectorCore } from '../core.js';
import type { DetectorStore } from '../detector-store.js';
import { keepTrying, PartitionLeftError } from '../keep-trying.js';
import type { DetectorMetrics } from '../metrics.js';
import { takeSignal } from '../signals/website-signals.js';
import { CHECKPOINT_MS, saveCheckpoint } from './checkpoints.js';
import { createEvaluation } from './evaluate-due.js';
import { adoptStored, loadPartition } from './load-partition.js';
import { newTrackedWebsite, type TrackedWebsite } from './tracked-website.js';
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

export interface PartitionStatus {
  readonly isLoaded: boolean;
  readonly websites: number;
  readonly openIntervals: number;
  /** Milliseconds since the epoch; null: none since it is this owner's. */
  readonly savedAt: number | null;
  /** When the write that runs was begun, milliseconds since the epoch; null: none runs. */
  readonly writingSince: number | null;
}

export interface PartitionDependencies<State> {
  readonly partition: number;
  readonly committed: Commit | null;
  /** Aborted when the partition is another's. */
  readonly lost: AbortSignal;
  commit(commit: Commit): Promise<void>;
  /** Of the partition: oldest offset and the next one to be given, and how many partitions there are. */
  extent(): Promise<{ readonly oldest: number; readonly next: number; readonly partitions: number }>;
  /** Whether signals of the website come to this one of so many partitions. */
  isOwn(websiteId: string, partitions: number): boolean;
  /** Appends records to `requests.signals` again, to the partition that is theirs now. */
  forward(records: readonly LogRecord[]): Promise<void>;
  sendAlerts(alerts: readonly Alert[]): Promise<void>;
  readonly core: DetectorCore<State>;
  readonly store: DetectorStore;
  circumstancesOf(websiteId: string): Circumstances;
  isErased(websiteId: string): boolean;
  sync(): Promise<void>;
  now(): number;
  readonly metrics: DetectorMetrics;
  readonly logger: Logger;
  onCrash(error: Error): void;
}

/** Open intervals with requests, of all websites of the partition, above which nothing is waited for: some 10 KB each. */
const MOST_OPEN = 5_000;

export function createPartitionDetector<State>(deps: PartitionDependencies<State>): PartitionDetector {
  const { partition, core, store, logger, metrics, now } = deps;
  const leaving = new AbortController();
  const left = AbortSignal.any([deps.lost, leaving.signal]);
  const giveTurn = createTurns();
  const trying = {
    left,
    onFailure: (error: unknown, retryInMs: number) => {
      metrics.retries.inc();
      logger.warn({ err: error, partition, retry_in_ms: retryInMs }, 'the detector waits for the stores');
    },
  };
  let websites = new Map<string, TrackedWebsite<State>>();
  let position = deps.committed?.offset ?? 0;
  let committed = position;
  /** Records before it were in the log when the partition was taken over: they may have been counted before. */
  let end = 0;
  let partitions = 0;
  let openIntervals = 0;
  let isLoaded = false;
  let savedAt: number | null = null;
  let checkpointDue = now() + CHECKPOINT_MS;
  let working: Promise<void> | null = null;
  let writingSince: number | null = null;
  const takenOverAt = now();

  const commit = async (offset: number) => {
    await deps.commit({ offset, metadata: '' });
    committed = offset;
  };
  const writer = createOutcomeWriter({
    core,
    store,
    sendAlerts: deps.sendAlerts,
    checkOwner: () => commit(committed),
    trying,
    now,
  });
  const loading = keepTrying(load, trying).then(() => {
    isLoaded = true;
  }, ended);

  async function load(): Promise<void> {
    const extent = await deps.extent();
    end = extent.next;
    partitions = extent.partitions;
    position = Math.max(position, extent.oldest);
    committed = deps.committed?.offset ?? position;
    const isOwn = (id: string) => deps.isOwn(id, partitions) && !deps.isErased(id);
    const loaded = await loadPartition({ core, store, partition, end, now: now(), logger, isOwn });
    await writer.tell(loaded.newer);
    websites = loaded.websites;
    openIntervals = 0;
    for (const { signals } of websites.values()) openIntervals += signals.open.size;
  }

  /** What is left is not done here any more; anything else is not to be gone on from. */
  function ended(error: unknown): void {
    if (error instanceof PartitionLeftError || error instanceof StaleAssignmentError || left.aborted) {
      leaving.abort();
      return;
    }
    leaving.abort();
    deps.onCrash(error instanceof Error ? error : new Error(String(error)));
  }

  async function count(records: readonly LogRecord[]): Promise<void> {
    await loading;
    if (!isLoaded) return;
    const foreign: LogRecord[] = [];
    const signals = records.flatMap((record): [LogRecord, Signal][] => {
      const signal = readable(record);
      if (signal === null || deps.isErased(signal.websiteId)) return [];
      if (deps.isOwn(signal.websiteId, partitions)) return [[record, signal]];
      foreign.push(record);
      return [];
    });
    await passOn(foreign);
    await meetNew(signals);
    for (const [record, signal] of signals) {
      if (left.aborted) return;
      take(record, signal);
      await giveTurn();
    }
    position = Math.max(position, records.at(-1)!.offset + 1);
  }

  function readable({ value, offset }: LogRecord): Signal | null {
    try {
      return decodeSignal(value);
    } catch (error) {
      metrics.unreadable.inc();
      logger.error({ err: error, partition, offset }, 'a signal can not be read: left out');
      return null;
    }
  }

  function take({ offset }: LogRecord, signal: Signal): void {
    const website = websites.get(signal.websiteId)!;
    position = offset + 1;
    if (offset < website.heldBefore) return;
    const before = website.signals.open.size;
    const taken = takeSignal(website.signals, signal);
    openIntervals += website.signals.open.size - before;
    metrics.signals.inc({ outcome: taken === null ? 'repeated' : 'counted' });
    if (taken !== null && taken.ignored > 0) metrics.ignoredMinutes.inc(taken.ignored);
    website.unsavedFrom ??= offset;
    website.isChanged = true;
  }

  /** Websites that were not known. What an owner before this one has stored of them, before it saved them, counts. */
  async function meetNew(signals: readonly [LogRecord, Signal][]): Promise<void> {
    const met = new Map<string, TrackedWebsite<State>>();
    const mayBeStored = new Set<string>();
    for (const [{ offset }, { websiteId }] of signals) {
      if (websites.has(websiteId)) continue;
      if (!met.has(websiteId)) met.set(websiteId, newTrackedWebsite(core, websiteId));
      if (offset < end) mayBeStored.add(websiteId);
    }
    const asked = [...met.values()].filter(({ id }) => mayBeStored.has(id));
    await writer.tell(await keepTrying(() => adoptStored(asked, { core, store, now: now() }), trying));
    for (const [id, website] of met) websites.set(id, website);
  }

  /** Since there are more partitions another owner counts these. What comes from now on and is not ours was sent by who did not know yet. */
  async function passOn(foreign: readonly LogRecord[]): Promise<void> {
    if (foreign.length === 0) return;
    const earlier = foreign.filter(({ appendedAt }) => appendedAt < takenOverAt);
    if (earlier.length < foreign.length)
      logger.warn({ partition, records: foreign.length - earlier.length }, 'signals of another partition');
    if (earlier.length > 0) await keepTrying(() => deps.forward(earlier), trying);
  }

  const evaluation = createEvaluation({
    core,
    circumstancesOf: deps.circumstancesOf,
    isErased: deps.isErased,
    now,
    metrics,
    logger,
    giveTurn,
    onClosed: (closed) => {
      openIntervals -= closed;
    },
  });

  async function judgeAndWrite(through: number, isPressed: boolean): Promise<void> {
    for (;;) {
      const { outcome, isDone } = await evaluation.evaluate(websites, through, isPressed);
      writingSince = now();
      await writer.write(outcome);
      for (const alert of outcome.alerts) metrics.alerts.inc({ type: alert.type });
      writingSince = null;
      if (isDone) break;
    }
    writingSince = now();
    for (const website of [...websites.values()])
      if (website.signals.changed.size > 0) await writer.rewriteHealth(website);
    writingSince = null;
  }

  async function checkpoint(): Promise<void> {
    writingSince = now();
    const parts = { core, store, partition, websites, commit, trying, giveTurn, now };
    await saveCheckpoint({
      ...parts,
      position: () => position,
      sync: deps.sync,
      isErased: deps.isErased,
    });
    writingSince = null;
    savedAt = now();
    checkpointDue = savedAt + CHECKPOINT_MS;
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
      await count(records).catch(ended);
      while (openIntervals > MOST_OPEN && !left.aborted) {
        const before = openIntervals;
        // Everything that was appended before the newest record is counted.
        await alone(() => judgeAndWrite(records.at(-1)!.appendedAt, true));
        if (openIntervals === before) return;
      }
    },
    position: () => position,
    work: (through) =>
      alone(async () => {
        await judgeAndWrite(through, openIntervals > MOST_OPEN);
        if (now() >= checkpointDue) await checkpoint();
      }),
    async save() {
      await working;
      await alone(checkpoint);
    },
    status: () => ({ isLoaded, websites: websites.size, openIntervals, savedAt, writingSince }),
    leave: () => leaving.abort(),
  };
}
