import { Gauge, type Registry } from 'prom-client';
import { inTime } from './in-time.js';

/** A scrape must not hang with the brokers that it asks about. */
export const LAG_TIMEOUT_MS = 2_000;

/**
 * Exports how many records of a topic wait, by partition.
 * @param readLag asked at every scrape. While it fails or is late, there is no figure.
 */
export function exportLag(
  registry: Registry,
  { name, help }: { readonly name: string; readonly help: string },
  readLag: () => Promise<ReadonlyMap<number, number>>,
): void {
  new Gauge({
    name,
    help,
    labelNames: ['partition'],
    registers: [registry],
    async collect() {
      this.reset();
      const lags = await inTime(readLag(), LAG_TIMEOUT_MS, new Map<number, number>());
      for (const [partition, lag] of lags) this.set({ partition: String(partition) }, lag);
    },
  });
}
