import type { Alert } from '../../shared/alerts/alert.js';
import type { ClickHouse } from '../../shared/clickhouse/client.js';
import { insertAlerts, readAlertsSeenSince } from '../../shared/queries/alert-writes.js';
import {
  insertDetectorStates,
  readDetectorStates,
  readStateSizes,
  type StateSize,
  type StoredState,
} from '../../shared/queries/detector-states.js';
import {
  insertHealthPoints,
  readHealthPointsOf,
  type StoredHealthPoint,
} from '../../shared/queries/health-points.js';

/** What the detector has in ClickHouse. Every write may be repeated. */
export interface DetectorStore {
  stateSizes(): Promise<StateSize[]>;
  states(websiteIds: readonly string[]): Promise<StoredState[]>;
  saveStates(states: readonly StoredState[]): Promise<void>;
  alertsSeenSince(websiteIds: readonly string[], since: number): Promise<Alert[]>;
  saveAlerts(alerts: readonly Alert[]): Promise<void>;
  healthOf(websiteId: string, starts: readonly number[]): Promise<StoredHealthPoint[]>;
  saveHealth(points: readonly StoredHealthPoint[], writtenAt: number): Promise<void>;
}

/**
 * @param replicated the tables have replicas, and the one that is asked must know what the others were told: a new owner that read an old state
 * would not count what was committed since.
 * @param onStored told whose answers may differ now, also where a write failed: it may have happened.
 */
export function createDetectorStore(
  clickhouse: Pick<ClickHouse, 'read' | 'insert' | 'command'>,
  replicated: boolean,
  onStored: (websiteIds: Iterable<string>) => void = () => {},
): DetectorStore {
  const telling = (rows: readonly { readonly websiteId: string }[]) => () =>
    onStored(new Set(rows.map(({ websiteId }) => websiteId)));
  return {
    // The first of what is read when a partition is taken over.
    async stateSizes() {
      if (replicated) await clickhouse.command('SYSTEM SYNC REPLICA detector_states');
      return readStateSizes(clickhouse);
    },
    states: (websiteIds) => readDetectorStates(clickhouse, websiteIds),
    saveStates: (states) => insertDetectorStates(clickhouse, states),
    async alertsSeenSince(websiteIds, since) {
      if (replicated) await clickhouse.command('SYSTEM SYNC REPLICA alerts');
      return readAlertsSeenSince(clickhouse, { websiteIds, since });
    },
    saveAlerts: (alerts) => insertAlerts(clickhouse, alerts).finally(telling(alerts)),
    healthOf: (websiteId, starts) => readHealthPointsOf(clickhouse, { websiteId, starts }),
    saveHealth: (points, at) => insertHealthPoints(clickhouse, points, at).finally(telling(points)),
  };
}
