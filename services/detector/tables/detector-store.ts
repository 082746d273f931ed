import type { Alert } from '../../../shared/alerts/alert.js';
import { changesBesideRows, type DataChange } from '../../../shared/changes/data-change.js';
import { insertAlerts, readAlertsSeen, type SeenAlerts } from '../../../shared/reads/alerts/alert-writes.js';
import {
  insertHealthPoints,
  readHealthPointsOf,
  type StoredHealthPoint,
} from '../../../shared/reads/health/health-points.js';
import type { ClickHouse } from '../../../shared/store/client.js';
import type { ReadCounts } from '../counts/counts-reader.js';
import { createCountsReader, type OnLeftOut } from '../counts/read-counts.js';
import { removeAlertsSince } from './alert-removal.js';
import { insertDetectorArrivals, readDetectorArrivals, type StoredArrivals } from './detector-arrivals.js';
import { insertDetectorStates, readDetectorStates, type StoredState } from './detector-states.js';

/** The detector's tables in ClickHouse. Every write may be repeated. */
export interface DetectorStore {
  /** Counts of requests in spans of time. */
  readonly counts: ReadCounts;
  arrivals(isWanted: (websiteId: string) => boolean): Promise<StoredArrivals[]>;
  saveArrivals(arrivals: readonly StoredArrivals[]): Promise<void>;
  states(websiteIds: readonly string[]): Promise<StoredState[]>;
  saveStates(states: readonly StoredState[]): Promise<void>;
  alertsSeen(of: SeenAlerts): Promise<Alert[]>;
  saveAlerts(alerts: readonly Alert[], writtenAt: number): Promise<void>;
  /** Removes the alerts of a website that were raised after a time, milliseconds since the epoch. */
  removeAlerts(of: { readonly websiteId: string; readonly since: number }): Promise<void>;
  healthOf(websiteId: string, starts: readonly number[]): Promise<StoredHealthPoint[]>;
  saveHealth(points: readonly StoredHealthPoint[], writtenAt: number): Promise<void>;
}

/**
 * @param onStored alerts or health points may have changed, also after a failed write: its rows may be stored
 * @param onLeftOut as for {@link createCountsReader}
 */
export function createDetectorStore(
  clickhouse: Pick<ClickHouse, 'read' | 'insert' | 'command'>,
  onStored: (changes: Iterable<DataChange>) => void = () => {},
  onLeftOut?: OnLeftOut,
): DetectorStore {
  const reporting = (rows: readonly { readonly websiteId: string }[]) => () =>
    onStored(changesBesideRows(rows));
  return {
    counts: createCountsReader(clickhouse, onLeftOut),
    arrivals: (isWanted) => readDetectorArrivals(clickhouse, isWanted),
    saveArrivals: (arrivals) => insertDetectorArrivals(clickhouse, arrivals),
    states: (websiteIds) => readDetectorStates(clickhouse, websiteIds),
    saveStates: (states) => insertDetectorStates(clickhouse, states),
    alertsSeen: (of) => readAlertsSeen(clickhouse, of),
    saveAlerts: (alerts, at) => insertAlerts(clickhouse, alerts, at).finally(reporting(alerts)),
    removeAlerts: (of) => removeAlertsSince(clickhouse, of).finally(reporting([of])),
    healthOf: (websiteId, starts) => readHealthPointsOf(clickhouse, { websiteId, starts }),
    saveHealth: (points, at) => insertHealthPoints(clickhouse, points, at).finally(reporting(points)),
  };
}
