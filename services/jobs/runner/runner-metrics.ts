import { Counter, Histogram, type Registry } from 'prom-client';
import { exportGauge } from '../../../shared/service/read-gauge.js';

export type JobMetrics = ReturnType<typeof createJobMetrics>;

/** @param read returns the runner's figures at each scrape */
export function createJobMetrics(
  registry: Registry,
  read: () => { running: number; waiting: number; websites: number },
) {
  const registers = [registry];
  exportGauge(registry, 'loglane_jobs_running', 'Runs under way', () => read().running);
  exportGauge(
    registry,
    'loglane_jobs_waiting',
    'Runs that are due and wait for a place',
    () => read().waiting,
  );
  exportGauge(
    registry,
    'loglane_jobs_websites_owned',
    'Websites whose jobs this replica runs',
    () => read().websites,
  );
  return {
    runs: new Counter({
      name: 'loglane_jobs_runs_total',
      help: 'Ended runs, by job and result (done, nothing_yet, failed, timed_out)',
      labelNames: ['job', 'outcome'],
      registers,
    }),
    seconds: new Histogram({
      name: 'loglane_jobs_run_seconds',
      help: 'Time of one run',
      labelNames: ['job'],
      buckets: [0.1, 0.5, 1, 5, 15, 60, 300, 900],
      registers,
    }),
  };
}
