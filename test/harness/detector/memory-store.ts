import type { CountedSpans } from '../../../services/detector/counts/counts-reader.js';
import type { StoredArrivals } from '../../../services/detector/tables/detector-arrivals.js';
import type { StoredState } from '../../../services/detector/tables/detector-states.js';
import type { DetectorStore } from '../../../services/detector/tables/detector-store.js';
import type { Alert } from '../../../shared/alerts/alert.js';
import type { SeenAlerts, SightMark } from '../../../shared/reads/alerts/alert-writes.js';
import type { StoredHealthPoint } from '../../../shared/reads/health/health-points.js';
import { countFakeRows, type FakeRow } from './fake-core.js';

/** The detector's tables of the engine, in memory. */

/** The final rows of the engine. */
export interface Rows {
  readonly requests: FakeRow[];
  readonly arrivals: Map<string, StoredArrivals>;
  readonly alerts: Map<string, Alert>;
  readonly health: Map<string, StoredHealthPoint & { readonly writtenAt: number }>;
  readonly states: Map<string, StoredState>;
}

export type During = <Given extends readonly unknown[], Answer>(
  name: string,
  work: (...given: Given) => Answer,
) => (...given: Given) => Promise<Answer>;

const bySight = (a: SightMark, b: SightMark) =>
  a.lastSeen - b.lastSeen || compare(a.websiteId, b.websiteId) || compare(a.alertId, b.alertId);
const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);

/**
 * The store over these rows.
 * @param now of the store: rows that are stored later are not readable yet
 */
export function storeOf(
  rows: Rows,
  during: During,
  now: () => number,
  count = (spans: CountedSpans) =>
    countFakeRows(
      rows.requests.filter(({ storedAt }) => storedAt <= now()),
      spans,
    ),
): DetectorStore {
  return {
    counts: during('counts', count),
    arrivals: during('arrivals', (isWanted: (websiteId: string) => boolean) =>
      [...rows.arrivals.values()].filter(({ websiteId }) => isWanted(websiteId)),
    ),
    saveArrivals: during('save arrivals', (arrivals: readonly StoredArrivals[]) => {
      for (const one of arrivals) rows.arrivals.set(one.websiteId, one);
    }),
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
    removeAlerts: during('remove alerts', (of: { readonly websiteId: string; readonly since: number }) => {
      for (const [id, { websiteId, createdAt }] of rows.alerts)
        if (websiteId === of.websiteId && createdAt > of.since) rows.alerts.delete(id);
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

/** A store in memory that a test can make unavailable. */
export function createMemoryStore(now: () => number = () => Number.POSITIVE_INFINITY) {
  const memory = {
    fail: false,
    requests: [] as FakeRow[],
    arrivals: new Map<string, StoredArrivals>(),
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
  return Object.assign(memory, { store: storeOf(memory, during, now) });
}
