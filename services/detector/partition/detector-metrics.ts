import { Counter, type Registry } from 'prom-client';
import { exportLag, type Lags } from '../../../shared/service/lag-gauge.js';
import { exportGauge } from '../../../shared/service/read-gauge.js';
import type { PartitionStatus } from './partition-status.js';

export type DetectorMetrics = ReturnType<typeof createDetectorMetrics>;

export interface DetectorReading {
  readonly statuses: readonly PartitionStatus[];
  /** The oldest time up to which every arrival is noted, over the partitions owned; 0: not known. */
  readonly through: number;
  readonly now: number;
}

/**
 * @param read what the service has at the moment of a scrape.
 * @param readLag records of each partition of `requests.stored` that are not noted and saved.
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
      help: 'Records of requests.stored behind what is saved, by partition, also of other owners; some minutes of them are usual',
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
    unreadable: counter(
      'loglane_detector_unreadable_records_total',
      'Records of requests.stored that could not be read',
    ),
    arrivals: counter('loglane_detector_arrivals_total', 'Records of requests.stored that were noted'),
    refusedRows: new Counter({
      name: 'loglane_detector_refused_rows_total',
      help: 'Rows that ClickHouse refuses for good and that were left out, by table',
      labelNames: ['table'],
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
  gauge('loglane_detector_websites', 'Websites that this replica watches', ({ statuses }) =>
    statuses.reduce((sum, { websites }) => sum + websites, 0),
  );
  gauge(
    'loglane_detector_waiting_partitions',
    'Partitions that this replica has and notes nothing of yet: they are being loaded, or what is stored of them can not be read',
    ({ statuses }) => statuses.filter(({ isLoaded }) => !isLoaded).length,
  );
  gauge(
    'loglane_detector_clock_behind_seconds',
    'How far the time by which intervals close lies behind, since uploads or arrivals wait; 0: not known yet',
    ({ through, now }) => secondsSince(through, now),
  );
  gauge(
    'loglane_detector_checkpoint_age_seconds',
    'Since the last save of the partition that was saved longest ago; 0: none was yet',
    ({ statuses, now }) => Math.max(0, ...statuses.map(({ savedAt }) => secondsSince(savedAt ?? 0, now))),
  );
  gauge(
    'loglane_detector_store_stuck_seconds',
    'Since the reads or writes began that take longest; 0: none run',
    ({ statuses, now }) =>
      Math.max(0, ...statuses.map(({ workingSince }) => secondsSince(workingSince ?? 0, now))),
  );
}
