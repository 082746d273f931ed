import { Counter, type Registry } from 'prom-client';
import { exportGauge } from '../../../shared/service/read-gauge.js';

/** @param read returns the worker's figures at each scrape */
export function createCrawlMetrics(registry: Registry, read: () => { running: number; waiting: number }) {
  exportGauge(registry, 'loglane_crawls_running', 'Crawls in progress', () => read().running);
  exportGauge(
    registry,
    'loglane_crawls_waiting',
    'Crawls that wait for a place or for their next attempt',
    () => read().waiting,
  );
  return {
    ended: new Counter({
      name: 'loglane_crawls_attempts_total',
      help: 'Ended crawl attempts, by result (ready, failed, blocked, again; decided_elsewhere, left_to_replica)',
      labelNames: ['outcome'],
      registers: [registry],
    }),
  };
}
