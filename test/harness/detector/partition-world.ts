import pino from 'pino';
import { Registry } from 'prom-client';
import type { DetectorCore } from '../../../services/detector/core.js';
import type { DetectorStore } from '../../../services/detector/detector-store.js';
import { createDetectorMetrics } from '../../../services/detector/metrics.js';
import {
  createPartitionDetector,
  type PartitionDetector,
} from '../../../services/detector/partition/partition-detector.js';
import { type Alert, alertIdOf, fingerprintOf } from '../../../shared/alerts/alert.js';
import { defaultAlertSettings } from '../../../shared/alerts/settings.js';
import { signalRecord } from '../../../shared/detection/signal-codec.js';
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../../../shared/durations.js';
import { type Commit, type LogRecord, StaleAssignmentError } from '../../../shared/event-log/event-log.js';
import type { SeenAlerts, SightMark } from '../../../shared/queries/alert-writes.js';
import type { StoredState } from '../../../shared/queries/detector-states.js';
import type { StoredHealthPoint } from '../../../shared/queries/health-points.js';
import { minuteOf } from './signal.js';

/**
 * One partition of `requests.signals` and what its owners write, in memory: a log whose commits only the owner may write, and a store
 * whose rows replace each other as those of the engine do.
 */

export const START = Date.UTC(2026, 10, 21, 9);

/** Alerts of every interval of at least so many requests; a repeat within two hours joins. */
const ALARMING = 10;

export interface FakeState {
  readonly websiteId: string;
  next: number;
  readonly open: Map<string, Alert>;
}

export const fakeCore: DetectorCore<FakeState> = {
  newState: (websiteId) => ({ websiteId, next: 0, open: new Map() }),
  encode: ({ open, ...state }) => JSON.stringify({ ...state, open: [...open] }),
  decode: (text) => {
    const { open, ...state } = JSON.parse(text);
    return { ...state, open: new Map(open) };
  },
  closeInterval(state, { start, end, counts }) {
    if (start < state.next) throw new Error('an interval was told twice, or out of order');
    state.next = end;
    const health = [{ ...point, start, value: counts.requests }];
    if (counts.requests < ALARMING) return { alerts: [], health };
    const found = {
      websiteId: state.websiteId,
      type: 'traffic_spike',
      severity: 'warning',
      subject: '',
    } as const;
    const known = state.open.get(fingerprintOf(found));
    if (known !== undefined && end <= known.lastSeen) return { alerts: [], health };
    const repeats = known !== undefined && end - known.lastSeen <= 2 * HOUR_MS;
    const id = alertIdOf({ ...found, createdAt: end });
    const alert: Alert = repeats
      ? { ...known, lastSeen: end, occurrences: known.occurrences + 1 }
      : { ...found, alertId: id, message: 'm', details: {}, createdAt: end, lastSeen: end, occurrences: 1 };
    state.open.set(fingerprintOf(found), alert);
    return { alerts: [alert], health };
  },
  adoptAlerts(state, alerts) {
    for (const alert of alerts) state.open.set(fingerprintOf(alert), alert);
  },
  forgetAddress(state, names) {
    const naming = [...state.open].filter(([, { message }]) => names(message));
    for (const [key] of naming) state.open.delete(key);
    return naming.length > 0;
  },
  valueOf: (_metric, { requests }) => requests,
};

const point = {
  metric: 'traffic',
  mean: 1,
  std: 1,
  z: 0,
  status: 'normal',
  timed: 0,
  maturity: 'building',
  observations: 0,
} as const;

/** Rows as the engine is left with them. */
interface Rows {
  readonly alerts: Map<string, Alert>;
  readonly health: Map<string, StoredHealthPoint & { readonly writtenAt: number }>;
  readonly states: Map<string, StoredState>;
}

export interface World extends Rows {
  readonly log: LogRecord[];
  committed: Commit | null;
  owner: number;
  /** Simulated. */
  now: number;
  readonly told: Alert[];
  readonly forwarded: LogRecord[];
  readonly erased: Set<string>;
  readonly foreign: Set<string>;
  /** Characters of states after which its owners insert them; absent: as many as they do. */
  insertBytes?: number;
}

export function createWorld(): World {
  return {
    log: [],
    committed: null,
    owner: 0,
    now: START,
    alerts: new Map(),
    told: [],
    health: new Map(),
    states: new Map(),
    forwarded: [],
    erased: new Set(),
    foreign: new Set(),
  };
}

type During = <Given extends readonly unknown[], Answer>(
  name: string,
  work: (...given: Given) => Answer,
) => (...given: Given) => Promise<Answer>;

const bySight = (a: SightMark, b: SightMark) =>
  a.lastSeen - b.lastSeen || compare(a.websiteId, b.websiteId) || compare(a.alertId, b.alertId);
const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);

/** The store over these rows. */
function storeOf(rows: Rows, during: During): DetectorStore {
  return {
    stateSizes: during('sizes', () =>
      [...rows.states.values()].map(({ websiteId, state }) => ({ websiteId, bytes: state.length })),
    ),
    states: during('states', (ids: readonly string[]) => ids.flatMap((id) => rows.states.get(id) ?? [])),
    saveStates: during('save states', (states: readonly StoredState[]) => {
      for (const state of states) rows.states.set(state.websiteId, state);
    }),
    alertsSeen: during('read alerts', ({ later, after, most }: SeenAlerts) =>
      [...rows.alerts.values()]
        .filter(({ websiteId, lastSeen }) => lastSeen > (later.get(websiteId) ?? Number.POSITIVE_INFINITY))
        .sort(bySight)
        .filter((alert) => after === null || bySight(after, alert) < 0)
        .slice(0, most),
    ),
    saveAlerts: during('save alerts', (alerts: readonly Alert[]) => {
      for (const alert of alerts)
        if (alert.lastSeen >= (rows.alerts.get(alert.alertId)?.lastSeen ?? 0))
          rows.alerts.set(alert.alertId, alert);
    }),
    healthOf: during('read health', (websiteId: string, starts: readonly number[]) =>
      [...rows.health.values()].filter((one) => one.websiteId === websiteId && starts.includes(one.start)),
    ),
    saveHealth: during('save health', (points: readonly StoredHealthPoint[], writtenAt: number) => {
      for (const one of points) {
        const key = `${one.websiteId} ${one.metric} ${one.start}`;
        if (writtenAt >= (rows.health.get(key)?.writtenAt ?? 0)) rows.health.set(key, { ...one, writtenAt });
      }
    }),
  };
}

/** A store in memory that a test may take away. */
export function createMemoryStore() {
  const memory = {
    fail: false,
    alerts: new Map<string, Alert>(),
    health: new Map<string, StoredHealthPoint & { readonly writtenAt: number }>(),
    states: new Map<string, StoredState>(),
  };
  const during: During =
    (_name, work) =>
    async (...given) => {
      if (memory.fail) throw new Error('away');
      return work(...given);
    };
  return Object.assign(memory, { store: storeOf(memory, during) });
}

export interface Told {
  /** Minutes after {@link START} at which the signal is stored. */
  readonly at: number;
  readonly website?: string;
  /** Requests by minutes after START. */
  readonly requests: Readonly<Record<number, number>>;
  readonly token?: string;
}

/** Appends a signal, as the enricher does. */
export function tell(world: World, { at, website = 'w', requests, token }: Told): void {
  const offset = world.log.length;
  const storedAt = START + at * MINUTE_MS;
  const { key, value } = signalRecord({
    token: token ?? `requests.raw/0/${offset}-${offset}/mark`,
    websiteId: website,
    storedAt,
    minutes: Object.entries(requests).map(([minute, count]) =>
      minuteOf({ minute: START + Number(minute) * MINUTE_MS, requests: count }),
    ),
  });
  world.log.push({ partition: 0, offset, key, value, appendedAt: storedAt });
}

/** What an owner is about to do, or has done. It throws where the owner ends there. */
export type Step = string;

export class Killed extends Error {}

export interface Life {
  readonly detector: PartitionDetector;
  readonly crashes: Error[];
  /** Messages of its log, of level error. */
  readonly errors: string[];
  readonly registry: Registry;
  isDead(): boolean;
  lose(): void;
}

/** Told of each step; the owner waits for it. @param given the first of what the step is given: rows, where it writes some */
export type OnStep = (step: Step, given?: unknown) => void | Promise<void>;

/** @param ends of the topic's other partitions */
export function startLife(
  world: World,
  onStep: OnStep = () => {},
  ends: ReadonlyMap<number, number> = new Map(),
): Life {
  return startLifeWith(fakeCore, world, onStep, ends);
}

export function startLifeWith<State>(
  core: DetectorCore<State>,
  world: World,
  onStep: OnStep = () => {},
  ends: ReadonlyMap<number, number> = new Map(),
): Life {
  world.owner += 1;
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
  const store = storeOf(world, during);
  const detector: PartitionDetector = createPartitionDetector({
    partition: 0,
    committed: world.committed,
    lost: lost.signal,
    commit: during('commit', (one) => {
      if (world.owner !== me) throw new StaleAssignmentError('another has the partition');
      world.committed = one;
    }),
    extent: async () => ({ oldest: 0, ends: new Map([...ends, [0, world.log.length]]) }),
    isOwn: (id) => !world.foreign.has(id),
    forward: during('forward', (records) => void world.forwarded.push(...records)),
    sendAlerts: during('send alerts', (alerts) => void world.told.push(...alerts)),
    core,
    store,
    circumstancesOf: () => ({
      settings: defaultAlertSettings,
      suppressed: new Set(),
      sharedNetworkOf: () => null,
    }),
    isErased: (id) => world.erased.has(id),
    sync: during('sync', () => {}),
    openWeights: () => [detector.status().openWeight],
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

/** Plays the owner's time from where the world stands until `until` (minutes after START): records as they come, a look each half minute. */
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
