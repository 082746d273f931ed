import { Counter, Histogram, type Registry } from 'prom-client';
import { exportGauge } from '../../../shared/service/read-gauge.js';

export type ExportMetrics = ReturnType<typeof createExportMetrics>;

/** @param read returns the worker's figures at each scrape */
export function createExportMetrics(
  registry: Registry,
  read: () => { running: number; waiting: number; oldestSeconds: number },
) {
  const registers = [registry];
  exportGauge(registry, 'loglane_exports_running', 'Exports in progress', () => read().running);
  exportGauge(
    registry,
    'loglane_exports_waiting',
    'Exports that wait for a place or for their next attempt',
    () => read().waiting,
  );
  exportGauge(
    registry,
    'loglane_exports_oldest_seconds',
    'Age of the oldest open export',
    () => read().oldestSeconds,
  );
  return {
    ended: new Counter({
      name: 'loglane_exports_attempts_total',
      help: 'Ended attempts, by export type and result (completed, failed, again; decided_elsewhere, left_to_replica)',
      labelNames: ['type', 'outcome'],
      registers,
    }),
    bytes: new Counter({
      name: 'loglane_exports_bytes_total',
      help: 'Bytes written to the file store, including incomplete files',
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
