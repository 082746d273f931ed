import { Counter, Histogram, type Registry } from 'prom-client';

export function createEnricherMetrics(registry: Registry) {
  const registers = [registry];
  const insertSeconds = new Histogram({
    name: 'loglane_enricher_insert_seconds',
    help: 'Time of one insert with its retries',
    buckets: [0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 30],
    registers,
  });
  return {
    rows: new Counter({ name: 'loglane_enricher_rows_total', help: 'Rows stored', registers }),
    deadRecords: new Counter({
      name: 'loglane_enricher_dead_records_total',
      help: 'Records that could not be decoded and went to requests.dead',
      registers,
    }),
    insertRetries: new Counter({
      name: 'loglane_enricher_insert_retries_total',
      help: 'Inserts that failed and were repeated',
      registers,
    }),
    freshness: new Histogram({
      name: 'loglane_enricher_freshness_seconds',
      help: 'From the receipt of the oldest request of a range to its visibility in every rollup',
      buckets: [0.1, 0.25, 0.5, 0.75, 1, 1.5, 2, 3, 5, 10, 60, 600],
      registers,
    }),
    async timeInsert(insert: () => Promise<void>): Promise<void> {
      const stop = insertSeconds.startTimer();
      await insert();
      stop();
    },
  };
}
