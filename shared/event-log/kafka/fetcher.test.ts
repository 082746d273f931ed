import { afterEach, expect, it, vi } from 'vitest';
import { createFetcher, type Fetcher, type FetcherOptions } from './fetcher.js';

const PARTITIONS = 32;
const KIBIBYTE = 1024;
const MEBIBYTE = 1024 ** 2;

/** Brokers with unlimited batches: each has 4 KiB at rest and 256 KiB after decompression. */
function generousBrokers() {
  const value = Buffer.alloc(256 * KIBIBYTE);
  const state = { served: 0 };
  type Asked = { topics: { partitions: { partition: number; fetchOffset: string; maxBytes: number }[] }[] };
  const broker = {
    async fetch({ topics }: Asked) {
      await new Promise((resolve) => setTimeout(resolve, 1));
      const partitions = topics[0]!.partitions.map(({ partition, fetchOffset, maxBytes }) => {
        const count = Math.max(1, Math.floor(maxBytes / (4 * KIBIBYTE)));
        state.served += count * value.length;
        const messages = Array.from({ length: count }, (_, i) => {
          return { offset: String(Number(fetchOffset) + i), timestamp: '0', key: null, value };
        });
        return { partition, messages };
      });
      return { responses: [{ partitions }] };
    },
  };
  const cluster = {
    refreshMetadataIfNecessary: async () => {},
    findBroker: async () => broker,
    findLeaderForPartitions: (_topic: string, partitions: number[]) => ({ 1: partitions }),
  };
  return { state, cluster: cluster as unknown as FetcherOptions['cluster'] };
}

let fetcher: Fetcher;
let letGo: () => void;
const held = new Promise<void>((resolve) => {
  letGo = resolve;
});
afterEach(async () => {
  letGo();
  await fetcher.stop();
});

it('the prefetched bytes of all partitions are bounded at any compression ratio, and a slow partition does not block others', async () => {
  const { state, cluster } = generousBrokers();
  const taken = new Map<number, number>();
  let handed = 0;
  let slow = (_partition: number) => true;
  fetcher = createFetcher({
    cluster,
    topic: 't',
    maxBytes: 4 * MEBIBYTE,
    async onRecords(partition, records) {
      const bytes = records.reduce((sum, { value }) => sum + value.length, 0);
      taken.set(partition, (taken.get(partition) ?? 0) + bytes);
      handed += bytes;
      if (slow(partition)) await held;
    },
    diverged: () => new Error('diverged'),
    onFailure: () => {},
    onTrouble: () => {},
  });
  for (let partition = 0; partition < PARTITIONS; partition++) fetcher.open(partition, 0);
  await vi.waitFor(() => expect(taken.size).toBe(PARTITIONS));
  await new Promise((resolve) => setTimeout(resolve, 200));
  // 32 MiB, and the excess of the last response of each partition over its share.
  expect(state.served - handed).toBeLessThan(2 * 32 * MEBIBYTE);
  // A partition whose calls end continues while all others are blocked.
  slow = (partition) => partition !== PARTITIONS;
  fetcher.open(PARTITIONS, 0);
  await vi.waitFor(() => expect(taken.get(PARTITIONS)).toBeGreaterThan(20 * MEBIBYTE));
});
