import { Counter, Histogram, type Registry } from 'prom-client';
import { exportLag, type Lags } from '../../../shared/service/lag-gauge.js';
import { exportGauge } from '../../../shared/service/read-gauge.js';

export type NotificationMetrics = ReturnType<typeof createNotificationMetrics>;

/**
 * @param read returns the current figures at each scrape
 * @param readLag records of each partition of `alerts` that are not committed yet
 */
export function createNotificationMetrics(
  registry: Registry,
  read: () => { running: number; waiting: number; stuckSeconds: number },
  readLag: () => Promise<Lags>,
) {
  const registers = [registry];
  exportGauge(registry, 'loglane_notifications_sending', 'Deliveries under way', () => read().running);
  exportGauge(
    registry,
    'loglane_notifications_waiting',
    'Deliveries that are due and wait for a place',
    () => read().waiting,
  );
  exportGauge(
    registry,
    'loglane_notifications_take_stuck_seconds',
    'Longest wait of alerts for the store; 0: none wait',
    () => read().stuckSeconds,
  );
  exportLag(
    registry,
    {
      prefix: 'loglane_notifications',
      help: 'Consumer lag of the topic alerts by partition, for all replicas; a minute of records is usual',
    },
    readLag,
  );
  return {
    attempts: new Counter({
      name: 'loglane_notifications_attempts_total',
      help: 'Delivery attempts, by channel and result (sent, pending: retried, dead, dropped)',
      labelNames: ['channel', 'status'],
      registers,
    }),
    seconds: new Histogram({
      name: 'loglane_notifications_attempt_seconds',
      help: 'Time of one attempt',
      labelNames: ['channel'],
      buckets: [0.05, 0.1, 0.5, 1, 5, 10, 30],
      registers,
    }),
  };
}
