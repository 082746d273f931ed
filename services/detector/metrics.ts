import { Counter, type Registry } from 'prom-client';
import { exportLag } from '../../shared/service/lag-gauge.js';
import { exportGauge } from '../../shared/service/read-gauge.js';
import type { PartitionStatus } from './partition/partition-status.js';

export type DetectorMetrics = ReturnType<typeof createDetectorMetrics>;

export interface DetectorReading {
  readonly statuses: readonly PartitionStatus[];
  /** The oldest time up to which everything is counted, over the partitions owned; 0: not known. */
  readonly through: number;
  readonly now: number;
}

/**
 * @param read what the service has at the moment of a scrape.
 * @param readLag records of each partition of `requests.signals` that are not counted and saved; absent while it fails.
 */
export function createDetectorMetrics(
  registry: Registry,
  read: () => DetectorReading,
  readLag: () => Promise<ReadonlyMap<number, number>>,
) {
  const registers = [registry];
  const counter = (name: string, help: string) => new Counter({ name, help, registers });
  exportReading(registry, read);
  exportLag(
    registry,
    {
      name: 'loglane_detector_lag_records',
      help: 'Records of requests.signals behind the saved states, by partition, whoever owns it; some minutes of them are usual',
    },
    readLag,
  );
  return {
    evaluations: counter('loglane_detector_evaluations_total', 'Intervals of websites that were judged'),
    failedEvaluations: counter(
      'loglane_detector_failed_evaluations_total',
      'Intervals that a rule failed at',
    ),
    retries: counter(
      'loglane_detector_retries_total',
      'Reads and writes of the stores that failed and were repeated',
    ),
    unreadable: counter('loglane_detector_unreadable_signals_total', 'Signals that could not be read'),
    ignoredMinutes: counter(
      'loglane_detector_ignored_minutes_total',
      'Minutes of signals that were too old to count, or dated far ahead',
    ),
    refusedRows: new Counter({
      name: 'loglane_detector_refused_rows_total',
      help: 'Rows that ClickHouse refuses for good and that were left out, by table',
      labelNames: ['table'],
      registers,
    }),
    signals: new Counter({
      name: 'loglane_detector_signals_total',
      help: 'Signals that came (counted, or repeated and left out)',
      labelNames: ['outcome'],
      registers,
    }),
    alerts: new Counter({
      name: 'loglane_detector_alerts_total',
      help: 'Alerts that were fired, or found again, by type',
      labelNames: ['type'],
      registers,
    }),
  };
}

const secondsSince = (time: number, now: number) => (time === 0 ? 0 : Math.max(0, now - time) / 1000);

/** What is read at the moment of a scrape. */
function exportReading(registry: Registry, read: () => DetectorReading): void {
  const gauge = (name: string, help: string, value: (reading: DetectorReading) => number) =>
    exportGauge(registry, name, help, () => value(read()));
  gauge('loglane_detector_websites', 'Websites whose signals this replica counts', ({ statuses }) =>
    statuses.reduce((sum, { websites }) => sum + websites, 0),
  );
  gauge(
    'loglane_detector_open_intervals',
    'Intervals with requests that are not closed yet',
    ({ statuses }) => statuses.reduce((sum, { openIntervals }) => sum + openIntervals, 0),
  );
  gauge(
    'loglane_detector_waiting_partitions',
    'Partitions that this replica has and counts nothing of yet: they are being loaded, or what is stored of them can not be read',
    ({ statuses }) => statuses.filter(({ isLoaded }) => !isLoaded).length,
  );
  gauge(
    'loglane_detector_open_characters',
    'What these intervals hold, roughly: one to two bytes of memory each',
    ({ statuses }) => statuses.reduce((sum, { openWeight }) => sum + openWeight, 0),
  );
  gauge(
    'loglane_detector_clock_behind_seconds',
    'How far the time by which intervals close lies behind, since uploads or signals wait; 0: not known yet',
    ({ through, now }) => secondsSince(through, now),
  );
  gauge(
    'loglane_detector_state_age_seconds',
    'Since the states of the partition were saved that was saved longest ago; 0: none was yet',
    ({ statuses, now }) => Math.max(0, ...statuses.map(({ savedAt }) => secondsSince(savedAt ?? 0, now))),
  );
  gauge(
    'loglane_detector_write_stuck_seconds',
    'Since the write began that waits longest for a store; 0: none waits',
    ({ statuses, now }) =>
      Math.max(0, ...statuses.map(({ writingSince }) => secondsSince(writingSince ?? 0, now))),
  );
}
