import { Counter, Histogram, type Registry } from 'prom-client';
import { exportGauge } from '../../../shared/service/read-gauge.js';

export type ExportMetrics = ReturnType<typeof createExportMetrics>;

/** @param read returns the worker's figures at each scrape */
export function createExportMetrics(
  registry: Registry,
  read: () => { running: number; waiting: number; oldestSeconds: number },
) {
  const registers = [registry];
  exportGauge(registry, 'loglane_exports_running', 'Exports that are being made', () => read().running);
  exportGauge(
    registry,
    'loglane_exports_waiting',
    'Exports that wait for a place or for their next attempt',
    () => read().waiting,
  );
  exportGauge(
    registry,
    'loglane_exports_oldest_seconds',
    'Time since the oldest open export was asked for',
    () => read().oldestSeconds,
  );
  return {
    ended: new Counter({
      name: 'loglane_exports_attempts_total',
      help: 'Attempts that ended, by type of the export and how (completed, failed, again; passed: decided elsewhere; left: for another replica)',
      labelNames: ['type', 'outcome'],
      registers,
    }),
    bytes: new Counter({
      name: 'loglane_exports_bytes_total',
      help: 'Bytes of files that went into the file store, also of files that are not whole yet',
      registers,
    }),
    seconds: new Histogram({
      name: 'loglane_exports_attempt_seconds',
      help: 'Time of one attempt',
      buckets: [0.5, 1, 5, 15, 60, 300, 1800],
      registers,
    }),
  };
}
