import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import { inTime } from '../../shared/service/in-time.js';
import { LAG_TIMEOUT_MS } from '../../shared/service/lag-gauge.js';
import { exportGauge } from '../../shared/service/read-gauge.js';
import type { PartitionLag } from './lag.js';

/**
 * @param readLag the lag of each partition of the topic; asked at every scrape. While it fails or is late, its gauges
 * are absent. Every enricher exports every partition, so that one that nobody owns is seen: the lag of all is
 * `sum(max by (partition) (loglane_enricher_lag_records))`.
 * @param stuckSeconds age of the oldest planned range that is not done.
 */
export function createEnricherMetrics(
  registry: Registry,
  readLag: () => Promise<ReadonlyMap<number, PartitionLag>>,
  stuckSeconds: () => number,
) {
  const registers = [registry];
  let reading: Promise<ReadonlyMap<number, PartitionLag>> | null = null;
  /** Asked once for both gauges of a scrape. */
  const lagOfScrape = () => {
    reading ??= inTime(readLag(), LAG_TIMEOUT_MS, new Map<number, PartitionLag>()).finally(() => {
      reading = null;
    });
    return reading;
  };
  const byPartition = (name: string, help: string, value: (lag: PartitionLag) => number) =>
    new Gauge({
      name,
      help,
      labelNames: ['partition'],
      registers,
      async collect() {
        this.reset();
        for (const [partition, lag] of await lagOfScrape()) {
          this.set({ partition: String(partition) }, value(lag));
        }
      },
    });
  byPartition(
    'loglane_enricher_lag_records',
    'Records of requests.raw that are not stored yet, by partition, whoever owns it',
    ({ records }) => records,
  );
  byPartition(
    'loglane_enricher_partition_owned',
    'Whether this enricher has the partition of requests.raw',
    ({ owned }) => (owned ? 1 : 0),
  );
  exportGauge(
    registry,
    'loglane_enricher_range_stuck_seconds',
    'Since the oldest range was planned that is not done yet, over the partitions owned; 0: none waits',
    stuckSeconds,
  );
  const insertSeconds = new Histogram({
    name: 'loglane_enricher_insert_seconds',
    help: 'Time of one insert that was stored',
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
      help: 'Requests of people that were not stored: their websites take bot traffic alone',
      registers,
    }),
    deadRecords: new Counter({
      name: 'loglane_enricher_dead_records_total',
      help: 'Records that could not be stored and went to requests.dead',
      registers,
    }),
    insertRetries: new Counter({
      name: 'loglane_enricher_insert_retries_total',
      help: 'Inserts that failed and were repeated',
      registers,
    }),
    droppedArrivals: new Counter({
      name: 'loglane_enricher_dropped_arrivals_total',
      help: 'Websites of stored ranges that were not reported to the detector, since the log did not take the record',
      registers,
    }),
    freshness: new Histogram({
      name: 'loglane_enricher_freshness_seconds',
      help: 'From the receipt of the oldest request of a range to its visibility in every rollup',
      buckets: [0.1, 0.25, 0.5, 0.75, 1, 1.5, 2, 3, 5, 10, 60, 600],
      registers,
    }),
    /** What fails is not counted: it is tried again. */
    async timeInsert(insert: () => Promise<void>): Promise<void> {
      const stop = insertSeconds.startTimer();
      await insert();
      stop();
    },
  };
}
