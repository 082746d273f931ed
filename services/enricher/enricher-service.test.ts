import pino from 'pino';
import { Registry } from 'prom-client';
import { afterEach, expect, test, vi } from 'vitest';
import { changesOfHours, type DataChange } from '../../shared/changes/data-change.js';
import { HOUR_MS } from '../../shared/durations.js';
import type { Commit, ConsumeOptions, EventLog } from '../../shared/event-log/event-log.js';
import { encodeRawBlock } from '../../shared/requests/columns/raw-block-codec.js';
import type { ClickHouse, InsertOptions } from '../../shared/store/client.js';
import { InsertEndedError, StoreUnavailableError } from '../../shared/store/store-errors.js';
import { enrichEach } from '../../test/harness/enrich-each.js';
import { createMemoryEventLog } from '../../test/harness/memory-event-log.js';
import { storedRequest } from '../../test/harness/stored-requests.js';
import { type EnricherService, startEnricher } from './enricher-service.js';
import { plainRequest } from './sink/plain-request.js';
import { STUCK_AFTER_MS } from './watch-ranges.js';

const NOW = Date.UTC(2026, 10, 21);
const block = () =>
  encodeRawBlock({
    website_id: 'w',
    source: 'loglane',
    upload_id: 'u',
    received_at: NOW,
    requests: [plainRequest({ timestamp: NOW })],
  });

const running: EnricherService[] = [];
afterEach(async () => {
  await Promise.all(running.splice(0).map((service) => service.stop()));
});

async function start(
  log: EventLog,
  insert: (options: InsertOptions) => Promise<void>,
  { clock = { now: NOW }, drained }: { clock?: { now: number }; drained?: AbortSignal } = {},
) {
  const registry = new Registry();
  const crashes: Error[] = [];
  const done: [partition: number, offset: number][] = [];
  const stored: DataChange[][] = [];
  const service = await startEnricher({
    log,
    clickhouse: { insert, read: async () => [] } as unknown as ClickHouse,
    enrich: enrichEach(() => storedRequest({ website_id: 'w', timestamp: NOW })),
    retentionDays: () => 30,
    config: { ENRICHER_BATCH_ROWS: 10, ENRICHER_BATCH_BYTES: 1e6, ENRICHER_BATCH_LINGER_MS: 5 },
    now: () => clock.now,
    logger: pino({ level: 'silent' }),
    registry,
    drained,
    onDone: (partition, offset) => void done.push([partition, offset]),
    onStored: (changes) => void stored.push([...changes]),
    onCrash: (error) => crashes.push(error),
  });
  running.push(service);
  const stuck = async () =>
    Number(/^loglane_enricher_range_stuck_seconds (\S+)$/m.exec(await registry.metrics())?.[1]);
  return { service, stuck, crashes, done, stored };
}

test('the age of a range that does not finish is a metric, which continues over a restart and falls when the range is done', async () => {
  const log = createMemoryEventLog(1, () => NOW);
  const clock = { now: NOW };
  let away = true;
  const insert = vi.fn(async () => {
    if (away) throw new StoreUnavailableError('away');
  });
  const first = await start(log, insert, { clock });
  expect(await first.stuck()).toBe(0);
  await log.append('requests.raw', [{ key: 'w', value: block() }]);
  await vi.waitFor(() => expect(insert).toHaveBeenCalled());
  clock.now += STUCK_AFTER_MS - 1_000;
  expect(await first.stuck()).toBe(59);
  await first.service.stop();
  running.splice(0);

  clock.now += 6_000;
  const second = await start(log, insert, { clock });
  await vi.waitFor(async () => expect(await second.stuck()).toBe(65));
  expect(second.service.stuckSeconds() * 1000).toBeGreaterThan(STUCK_AFTER_MS);
  away = false;
  await vi.waitFor(async () => expect(await second.stuck()).toBe(0), { timeout: 15_000 });
  expect([...first.crashes, ...second.crashes]).toEqual([]);
});

test('two partitions insert at once, and the others wait', async () => {
  const log = createMemoryEventLog(4, () => NOW);
  const finish: (() => void)[] = [];
  const { done } = await start(log, () => new Promise((resolve) => finish.push(resolve)));
  for (let partition = 0; partition < 4; partition++)
    await log.append('requests.raw', [{ key: `w${partition}`, value: block() }]);
  await vi.waitFor(() => expect(finish).toHaveLength(2));
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(finish).toHaveLength(2);
  for (let next = 2; next < 4; next++) {
    finish.shift()!();
    await vi.waitFor(() => expect(done).toHaveLength(next - 1));
    await vi.waitFor(() => expect(finish).toHaveLength(2));
  }
  for (const end of finish) end();
  await vi.waitFor(() => expect(done).toHaveLength(4));
});

test('a lost partition ends its insert at once', async () => {
  const memory = createMemoryEventLog(1, () => NOW);
  const lost = new AbortController();
  const log: EventLog = {
    ...memory,
    consume: (options: ConsumeOptions) =>
      memory.consume({
        ...options,
        onAssigned: (partition, committed: Commit | null) =>
          options.onAssigned?.(partition, committed, lost.signal, 1) ?? Promise.resolve(),
      }),
  };
  let signal: AbortSignal | undefined;
  const { crashes } = await start(
    log,
    (options) =>
      new Promise((_, reject) => {
        signal = options.signal;
        options.signal?.addEventListener('abort', () => reject(new Error('given up')), { once: true });
      }),
  );
  await log.append('requests.raw', [{ key: 'w', value: block() }]);
  await vi.waitFor(() => expect(signal).toBeDefined());
  lost.abort();
  expect(signal?.aborted).toBe(true);
  await running.splice(0)[0]?.stop();
  expect(crashes).toEqual([]);
});

test('a stop waits for the running insert within its time, and leaves the range to the next owner', async () => {
  const log = createMemoryEventLog(1, () => NOW);
  const drained = new AbortController();
  let inserts = 0;
  const slow = ({ signal }: InsertOptions) =>
    new Promise<void>((_, reject) => {
      inserts += 1;
      signal?.addEventListener('abort', () => reject(new InsertEndedError('given up')), { once: true });
    });
  const first = await start(log, slow, { drained: drained.signal });
  await log.append('requests.raw', [{ key: 'w', value: block() }]);
  await vi.waitFor(() => expect(inserts).toBe(1));
  let stopped = false;
  const stopping = first.service.stop().then(() => {
    stopped = true;
  });
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(stopped).toBe(false);
  drained.abort();
  await stopping;
  running.splice(0);
  expect([inserts, first.crashes, first.done]).toEqual([1, [], []]);
  expect((await log.committed('requests.raw', 'enricher')).get(0)).toMatchObject({
    offset: 0,
    metadata: expect.stringContaining('plan1:0:'),
  });

  const second = await start(log, async () => {});
  await vi.waitFor(() => expect(second.done).toEqual([[0, 0]]));
});

test('a stop does not wait for a store that neither answers nor aborts, after the time for running work', async () => {
  const log = createMemoryEventLog(1, () => NOW);
  const drained = new AbortController();
  const insert = vi.fn(() => new Promise<void>(() => {}));
  const { service, crashes } = await start(log, insert, { drained: drained.signal });
  await log.append('requests.raw', [{ key: 'w', value: block() }]);
  await vi.waitFor(() => expect(insert).toHaveBeenCalled());
  drained.abort();
  await service.stop();
  running.splice(0);
  expect(crashes).toEqual([]);
});

test('reports its progress, also past records that exceed the limits', async () => {
  const log = createMemoryEventLog(1, () => NOW);
  const huge = Buffer.alloc(5 + 16 * 50_001);
  huge[0] = 1;
  huge.writeUInt32BE(50_001, 1);
  await log.append('requests.raw', [
    { key: 'w', value: huge },
    { key: 'w', value: huge },
  ]);
  const { done, crashes } = await start(log, async () => {});
  await vi.waitFor(() => expect(done.at(-1)).toEqual([0, 1]));
  expect(crashes).toEqual([]);
});

test('reports the websites and hours of each insert, even of a failed one', async () => {
  const log = createMemoryEventLog(1, () => NOW);
  const toldBefore: number[] = [];
  let away = true;
  const enricher = await start(log, async ({ table }) => {
    if (table !== 'requests') return;
    toldBefore.push(enricher.stored.length);
    if (away) throw new StoreUnavailableError('away');
  });
  await log.append('requests.raw', [{ key: 'w', value: block() }]);
  await vi.waitFor(() => expect(enricher.stored.length).toBeGreaterThanOrEqual(1));
  away = false;
  await vi.waitFor(() => expect(enricher.done).toHaveLength(1));
  // No report before the first attempt, and one more with each.
  expect(toldBefore).toEqual(toldBefore.map((_, index) => index));
  expect(enricher.stored).toEqual(toldBefore.map(() => changesOfHours('w', [NOW / HOUR_MS])));
});
