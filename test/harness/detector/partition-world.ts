import pino from 'pino';
import { Registry } from 'prom-client';
import type { CountedSpans, CountsByWebsite } from '../../../services/detector/counts/counts-reader.js';
import type { DetectorCore } from '../../../services/detector/evaluation/core.js';
import { createDetectorMetrics } from '../../../services/detector/partition/detector-metrics.js';
import {
  createPartitionDetector,
  type PartitionDetector,
} from '../../../services/detector/partition/partition-detector.js';
import type { CacheBudget } from '../../../services/detector/partition/state-cache.js';
import type { Alert } from '../../../shared/alerts/alert.js';
import { defaultAlertSettings } from '../../../shared/alerts/settings.js';
import type { Arrival } from '../../../shared/detection/arrival.js';
import { arrivalRecord } from '../../../shared/detection/arrival-codec.js';
import { INTERVAL_MS } from '../../../shared/detection/health-metrics.js';
import { MINUTE_MS, SECOND_MS } from '../../../shared/durations.js';
import {
  type Commit,
  type LogRecord,
  type NewRecord,
  StaleAssignmentError,
} from '../../../shared/event-log/event-log.js';
import { type FakeRow, fakeCore } from './fake-core.js';
import { type During, type Rows, storeOf } from './memory-store.js';

/**
 * One partition of `requests.stored` and its owners' data, in memory. The log accepts commits only from the
 * current owner. Rows in the store replace each other as in the engine. The owners count the given requests.
 */

export const START = Date.UTC(2026, 10, 21, 9);

export interface World extends Rows {
  readonly log: LogRecord[];
  committed: Commit | null;
  owner: number;
  /** Simulated time. */
  now: number;
  readonly sent: Alert[];
  readonly forwarded: NewRecord[];
  readonly erased: Set<string>;
  readonly foreign: Set<string>;
  /** Counts other requests than {@link Rows.requests}. */
  count?: (spans: CountedSpans) => CountsByWebsite;
  /** Characters of states in one insert; absent: the default. */
  insertBytes?: number;
  /** Characters of states that owners cache; absent: all. */
  cacheBytes?: number;
  /** The budget of the newest owner. */
  budget: CacheBudget;
}

export function createWorld(): World {
  return {
    log: [],
    committed: null,
    owner: 0,
    now: START,
    requests: [],
    arrivals: new Map(),
    alerts: new Map(),
    sent: [],
    health: new Map(),
    states: new Map(),
    forwarded: [],
    erased: new Set(),
    foreign: new Set(),
    budget: { most: 0, used: 0 },
  };
}

export interface Upload {
  /** Minutes after {@link START} at which they are stored, and received. */
  readonly at: number;
  readonly website?: string;
  /** Requests by minutes after START. */
  readonly requests: Readonly<Record<number, number>>;
  /** Whether the rows are already stored, and only the record is repeated. */
  readonly isRepeated?: boolean;
}

/** The rows and the arrival of an upload. */
export function arrived({ at, website = 'w', requests }: Upload): {
  readonly rows: FakeRow[];
  readonly arrival: Arrival;
} {
  const storedAt = START + at * MINUTE_MS;
  const rows = Object.entries(requests).map(([minute, count]) => ({
    websiteId: website,
    minute: START + Number(minute) * MINUTE_MS,
    storedAt,
    requests: count,
  }));
  const minutes = rows.map(({ minute }) => minute).sort((a, b) => a - b);
  const intervals = [...new Set(minutes.map((minute) => Math.floor(minute / INTERVAL_MS) * INTERVAL_MS))];
  const arrival = {
    ...{ websiteId: website, storedAt, receivedAt: storedAt, hasPendingClaims: false, intervals },
    ...{ oldestMinute: minutes[0]!, newestMinute: minutes.at(-1)! },
  };
  return { rows, arrival };
}

/** Stores requests and appends their arrival. */
export function upload(world: World, uploaded: Upload): void {
  const { rows, arrival } = arrived(uploaded);
  if (uploaded.isRepeated !== true) world.requests.push(...rows);
  append(world, arrival.storedAt, arrivalRecord(arrival));
}

/** @returns its offset */
export function append(world: World, appendedAt: number, { key, value }: NewRecord): number {
  const offset = world.log.length;
  world.log.push({ partition: 0, offset, key, value, appendedAt });
  return offset;
}

/** A step before or after an owner's action. It throws if the owner ends there. */
export type Step = string;

export class Killed extends Error {}

export interface Life {
  readonly detector: PartitionDetector;
  readonly crashes: Error[];
  /** Messages of its log with level error. */
  readonly errors: string[];
  readonly registry: Registry;
  isDead(): boolean;
  lose(): void;
}

/**
 * Called at each step; the owner waits for it.
 * @param given the first argument of the step: rows, if it writes some
 */
export type OnStep = (step: Step, given?: unknown) => void | Promise<void>;

export function startLife(world: World, onStep: OnStep = () => {}): Life {
  return startLifeWith(fakeCore, world, onStep);
}

export function startLifeWith<State>(
  core: DetectorCore<State>,
  world: World,
  onStep: OnStep = () => {},
): Life {
  world.owner += 1;
  world.budget = { most: world.cacheBytes ?? Number.POSITIVE_INFINITY, used: 0 };
  const me = world.owner;
  const lost = new AbortController();
  const crashes: Error[] = [];
  const errors: string[] = [];
  let dead = false;
  const step = async (name: Step, given?: unknown) => {
    if (dead) throw new Killed(name);
    try {
      await onStep(name, given);
    } catch (error) {
      dead = error instanceof Killed;
      if (dead) lost.abort();
      throw error;
    }
  };
  const during: During =
    (name, work) =>
    async (...given) => {
      await step(name, given[0]);
      const answer = work(...given);
      await step(`${name} done`);
      return answer;
    };
  const registry = new Registry();
  const store = storeOf(world, during, () => world.now, world.count);
  const detector = createPartitionDetector({
    partition: 0,
    committed: world.committed,
    lost: lost.signal,
    commit: during('commit', (one) => {
      if (world.owner !== me) throw new StaleAssignmentError('another owner has the partition');
      world.committed = one;
    }),
    oldest: async () => 0,
    isOwn: (id) => !world.foreign.has(id),
    forward: during('forward', (records) => void world.forwarded.push(...records)),
    sendAlerts: during('send alerts', (alerts) => void world.sent.push(...alerts)),
    core,
    store,
    circumstancesOf: () => ({
      settings: defaultAlertSettings,
      suppressed: new Set(),
      sharedNetworkOf: () => null,
    }),
    isErased: (id) => world.erased.has(id),
    sync: during('sync', () => {}),
    stateBudget: world.budget,
    ...(world.insertBytes !== undefined && { insertBytes: world.insertBytes }),
    now: () => world.now,
    metrics: createDetectorMetrics(
      registry,
      () => ({ statuses: [], through: 0, now: world.now }),
      async () => new Map(),
    ),
    logger: pino({ level: 'error' }, { write: (line) => void errors.push(JSON.parse(line).msg) }),
    onCrash: (error) => void crashes.push(error),
  });
  return { detector, crashes, errors, registry, isDead: () => dead, lose: () => lost.abort() };
}

/**
 * Runs the owner from the world's current time until `until` (minutes after START): records as they arrive,
 * and a tick each half minute.
 */
export async function play(world: World, life: Life, until: number): Promise<void> {
  let next = world.committed?.offset ?? 0;
  while (world.now <= START + until * MINUTE_MS && !life.isDead()) {
    const come = world.log.filter(({ offset, appendedAt }) => offset >= next && appendedAt <= world.now);
    if (come.length > 0) await life.detector.push(come);
    next += come.length;
    await life.detector.work(world.now);
    if (life.isDead()) return;
    world.now += 30 * SECOND_MS;
  }
}
