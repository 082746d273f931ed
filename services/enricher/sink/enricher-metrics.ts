import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import { exportLag, type Lags } from '../../../shared/service/lag-gauge.js';
import { exportGauge } from '../../../shared/service/read-gauge.js';

/**
 * @param readLag consumer lag of each partition of the topic, read at every scrape. Every enricher exports
 * every partition, so that one without an owner is visible. The total is `sum(max by (partition)
 * (loglane_enricher_lag_records))`.
 * @param owned partitions of this enricher
 * @param stuckSeconds age of the oldest planned range that is not done
 */
export function createEnricherMetrics(
  registry: Registry,
  readLag: () => Promise<Lags>,
  owned: () => Iterable<number>,
  stuckSeconds: () => number,
) {
  const registers = [registry];
  const partitions = exportLag(
    registry,
    {
      prefix: 'loglane_enricher',
      help: 'Records of requests.raw that are not stored yet, by partition; partitions without an owner count',
    },
    readLag,
  );
  new Gauge({
    name: 'loglane_enricher_partition_owned',
    help: 'Whether this enricher has the partition of requests.raw',
    labelNames: ['partition'],
    registers,
    async collect() {
      const all = await partitions();
      const own = new Set(owned());
      this.reset();
      for (const partition of all) this.set({ partition: String(partition) }, own.has(partition) ? 1 : 0);
    },
  });
  exportGauge(
    registry,
    'loglane_enricher_range_stuck_seconds',
    'Age of the oldest planned range that is not done yet, over the owned partitions; 0: none waits',
    stuckSeconds,
  );
  const insertSeconds = new Histogram({
    name: 'loglane_enricher_insert_seconds',
    help: 'Duration of successful inserts',
    buckets: [0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 30],
    registers,
  });
  return {
    rangeRows: new Histogram({
      name: 'loglane_enricher_range_rows',
      help: 'Rows of one insert',
      buckets: [10, 100, 1_000, 5_000, 10_000, 20_000, 30_000, 50_000, 70_000, 100_000],
      registers,
    }),
    rows: new Counter({ name: 'loglane_enricher_rows_total', help: 'Rows stored', registers }),
    droppedPeople: new Counter({
      name: 'loglane_enricher_dropped_people_total',
      help: 'Requests of people that were not stored: their websites accept bot traffic only',
      registers,
    }),
    deadRecords: new Counter({
      name: 'loglane_enricher_dead_records_total',
      help: 'Records that could not be stored and went to requests.dead',
      registers,
    }),
    insertRetries: new Counter({
      name: 'loglane_enricher_insert_retries_total',
      help: 'Inserts that failed and were retried',
      registers,
    }),
    droppedArrivals: new Counter({
      name: 'loglane_enricher_dropped_arrivals_total',
      help: 'Websites of stored ranges that were not reported to the detector, since the log did not accept the record',
      registers,
    }),
    freshness: new Histogram({
      name: 'loglane_enricher_freshness_seconds',
      help: 'Time from the receipt of the oldest request of a range to its visibility in every rollup',
      buckets: [0.1, 0.25, 0.5, 0.75, 1, 1.5, 2, 3, 5, 10, 60, 600],
      registers,
    }),
    /** A failed insert is not measured: it is retried. */
    async timeInsert(insert: () => Promise<void>): Promise<void> {
      const stop = insertSeconds.startTimer();
      await insert();
      stop();
    },
  };
}
