import { Gauge, type Registry } from 'prom-client';
import type { PartitionLag } from '../event-log/lag.js';
import { inTime } from '../pacing/in-time.js';
import { createLagFigures, type LagFigure } from './lag-figures.js';

/** A scrape must not hang when the brokers do. */
const LAG_TIMEOUT_MS = 2_000;

export interface LagGauges {
  /** Prefix of the metric names `_lag_records`, `_lag_seconds` and `_lag_age_seconds`. */
  readonly prefix: string;
  /** Description of the waiting records. */
  readonly help: string;
}

export type Lags = ReadonlyMap<number, PartitionLag>;

/**
 * Exports the number of waiting records and their waiting time, by partition.
 * @param readLag called at every scrape. While it fails or is late, the last counts stay, and the seconds and their age
 * grow.
 * @param clock milliseconds, monotonic
 * @returns a function that reads the partitions of a scrape
 */
export function exportLag(
  registry: Registry,
  { prefix, help }: LagGauges,
  readLag: () => Promise<Lags>,
  clock: () => number = () => performance.now(),
): () => Promise<Iterable<number>> {
  const registers = [registry];
  const lags = createLagFigures(clock());
  let reading: Promise<void> | null = null;

  async function look(): Promise<void> {
    const found = await inTime<Lags | null>(readLag(), LAG_TIMEOUT_MS, null);
    if (found !== null) lags.look(found, clock());
  }

  /** Shared by all gauges of a scrape. */
  async function ofScrape(): Promise<ReadonlyMap<number, LagFigure>> {
    reading ??= look().finally(() => {
      reading = null;
    });
    await reading;
    return lags.figures(clock());
  }

  const byPartition = (name: string, text: string, value: (lag: LagFigure) => number) =>
    new Gauge({
      name,
      help: text,
      labelNames: ['partition'],
      registers,
      async collect() {
        const figures = await ofScrape();
        this.reset();
        for (const [partition, lag] of figures) this.set({ partition: String(partition) }, value(lag));
      },
    });
  byPartition(`${prefix}_lag_records`, help, ({ records }) => records);
  byPartition(
    `${prefix}_lag_seconds`,
    'Seconds that the oldest of these records has waited, estimated from scrapes',
    ({ seconds }) => seconds,
  );
  new Gauge({
    name: `${prefix}_lag_age_seconds`,
    help: 'Seconds since the lag was last read from the log; grows while the log is unavailable',
    registers,
    async collect() {
      await ofScrape();
      this.set(lags.ageSeconds(clock()));
    },
  });
  return async () => (await ofScrape()).keys();
}
