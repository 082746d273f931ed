import { Counter, type Registry } from 'prom-client';
import { exportLag, type Lags } from '../../../shared/service/lag-gauge.js';
import { exportGauge } from '../../../shared/service/read-gauge.js';
import type { PartitionStatus } from './partition-status.js';

export type DetectorMetrics = ReturnType<typeof createDetectorMetrics>;

export interface DetectorReading {
  readonly statuses: readonly PartitionStatus[];
  /** The oldest time up to which every arrival is noted, over the owned partitions; 0: not known. */
  readonly through: number;
  readonly now: number;
}

/**
 * @param read the service's values at a scrape
 * @param readLag consumer lag of each partition of `requests.stored`
 */
export function createDetectorMetrics(
  registry: Registry,
  read: () => DetectorReading,
  readLag: () => Promise<Lags>,
) {
  const registers = [registry];
  const counter = (name: string, help: string) => new Counter({ name, help, registers });
  exportReading(registry, read);
  exportLag(
    registry,
    {
      prefix: 'loglane_detector',
      help: 'Consumer lag on requests.stored in records, by partition, over all owners; a lag of some minutes is usual',
    },
    readLag,
  );
  return {
    evaluations: counter('loglane_detector_evaluations_total', 'Intervals of websites that were evaluated'),
    failedEvaluations: counter(
      'loglane_detector_failed_evaluations_total',
      'Intervals at which a rule failed',
    ),
    retries: counter(
      'loglane_detector_retries_total',
      'Reads and writes of the stores that failed and were retried',
    ),
    unreadable: counter(
      'loglane_detector_unreadable_records_total',
      'Records of requests.stored that could not be read',
    ),
    unowned: counter(
      'loglane_detector_unowned_records_total',
      'Records of requests.stored that every owner passed on until they were left out',
    ),
    arrivals: counter('loglane_detector_arrivals_total', 'Records of requests.stored that were noted'),
    refusedRows: new Counter({
      name: 'loglane_detector_refused_rows_total',
      help: 'Rows that ClickHouse refuses permanently and that were left out, by table',
      labelNames: ['table'],
      registers,
    }),
    alerts: new Counter({
      name: 'loglane_detector_alerts_total',
      help: 'Alerts that were raised or repeated, by type',
      labelNames: ['type'],
      registers,
    }),
  };
}

const secondsSince = (time: number, now: number) => (time === 0 ? 0 : Math.max(0, now - time) / 1000);

/** Gauges that are read at a scrape. */
function exportReading(registry: Registry, read: () => DetectorReading): void {
  const gauge = (name: string, help: string, value: (reading: DetectorReading) => number) =>
    exportGauge(registry, name, help, () => value(read()));
  gauge('loglane_detector_websites', 'Websites that this replica evaluates', ({ statuses }) =>
    statuses.reduce((sum, { websites }) => sum + websites, 0),
  );
  gauge(
    'loglane_detector_waiting_partitions',
    'Partitions of this replica that are not loaded yet, or whose stored rows cannot be read',
    ({ statuses }) => statuses.filter(({ isLoaded }) => !isLoaded).length,
  );
  gauge(
    'loglane_detector_clock_behind_seconds',
    'How far the time up to which intervals may close is behind the clock; uploads or arrivals are waiting; 0: not known yet',
    ({ through, now }) => secondsSince(through, now),
  );
  gauge(
    'loglane_detector_checkpoint_age_seconds',
    'Time since the last checkpoint of the partition with the oldest one; 0: no checkpoint yet',
    ({ statuses, now }) => Math.max(0, ...statuses.map(({ savedAt }) => secondsSince(savedAt ?? 0, now))),
  );
  gauge(
    'loglane_detector_store_stuck_seconds',
    'Duration of the longest running reads or writes; 0: none run',
    ({ statuses, now }) =>
      Math.max(0, ...statuses.map(({ workingSince }) => secondsSince(workingSince ?? 0, now))),
  );
}
