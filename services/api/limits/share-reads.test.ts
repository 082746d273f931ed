import { z } from '@hono/zod-openapi';
import { describe, expect, it, vi } from 'vitest';
import type { ClickHouseReader, Query } from '../../../shared/store/client.js';
import { ReadEndedError } from '../../../shared/store/store-errors.js';
import { createTestApi, uncounted } from '../../../test/harness/api.js';
import { websiteRead } from '../operation/operation.js';
import { shareReads } from './share-reads.js';

const STATEMENTS = 10;

/** An operation of ten statements, everyday ones or scans, on a store that answers on command. */
async function setUp(scan: Pick<Query<unknown>, 'scan'> = {}) {
  const running: { websiteId: string; end: (error?: Error) => void }[] = [];
  const reader: ClickHouseReader = {
    read: ({ params }) =>
      new Promise((resolve, reject) => {
        const end = (error?: Error) => {
          running.splice(running.indexOf(one), 1);
          if (error === undefined) resolve([]);
          else reject(error);
        };
        const one = { websiteId: String(params.websiteId), end };
        running.push(one);
      }),
  };
  const operation = websiteRead({
    id: 'many',
    tag: 'Test',
    summary: 's',
    description: 'd',
    path: '/many',
    query: z.object({}),
    answer: z.object({}),
    async run(_, { website, services }) {
      const query = { name: 'q', sql: '', params: { websiteId: website.id }, row: z.unknown(), ...scan };
      await Promise.all(Array.from({ length: STATEMENTS }, () => services.reader.read(query)));
      return {};
    },
  });
  const test = await createTestApi({ reader, operations: [operation], usage: uncounted });
  const own = () => test.read('/many');
  const foreign = () =>
    test.request(`/public/v1/websites/${test.foreignWebsite.id}/many`, { key: test.keys.foreign });
  const runningOf = (websiteId: string) => running.filter((one) => one.websiteId === websiteId).length;
  const settled = () => new Promise((resolve) => setTimeout(resolve, 20));
  return { test, running, own, foreign, runningOf, settled };
}

it('an organisation runs two everyday reads at once, and those of another one do not wait for them', async () => {
  const { test, running, own, foreign, runningOf, settled } = await setUp();
  const calls = [own(), own(), own()];
  await settled();
  expect(runningOf(test.website.id)).toBe(2);
  calls.push(foreign());
  await vi.waitFor(() => expect(runningOf(test.foreignWebsite.id)).toBe(2));
  for (let done = 0; done < 4 * STATEMENTS; done++) {
    await vi.waitFor(() => expect(running.length).toBeGreaterThan(0));
    expect(runningOf(test.website.id)).toBeLessThanOrEqual(2);
    running[0]!.end();
  }
  expect((await Promise.all(calls)).map(({ status }) => status)).toEqual([200, 200, 200, 200]);
});

it('a read that fails lets the next one run', async () => {
  const { running, own, settled } = await setUp();
  const call = own();
  for (let done = 0; done < STATEMENTS; done++) {
    await vi.waitFor(() => expect(running.length).toBeGreaterThan(0));
    running[0]!.end(new Error('broken'));
  }
  expect((await call).status).toBe(500);
  await settled();
  expect(running).toEqual([]);
});

it('calls wait for each other, so that all reads of a call that has begun are answered', async () => {
  const { running, own } = await setUp();
  const calls = Array.from({ length: 40 }, own);
  const statuses: number[] = [];
  for (const call of calls) void call.then(({ status }) => statuses.push(status));
  for (let ended = 0; statuses.length < calls.length; ) {
    if (running.length > 0) ended += 1;
    running[0]?.end();
    await new Promise(setImmediate);
    // At most 16 calls have begun, so few reads were made for calls without an answer.
    expect(ended - statuses.length * STATEMENTS).toBeLessThanOrEqual(17 * STATEMENTS);
  }
  expect(statuses).toEqual(calls.map(() => 200));
});

it('a call above the waiting limit is 503 with Retry-After, without effect on other organisations', async () => {
  const { test, running, own, foreign, runningOf } = await setUp();
  const calls = Array.from({ length: 300 }, own);
  const refused = await Promise.race(calls);
  expect(refused.status).toBe(503);
  expect(Number(refused.headers.get('Retry-After'))).toBeGreaterThan(0);
  expect(test.logged()).toContain('Too many reads are waiting');
  expect(test.logged()).not.toContain('request failed');
  const other = foreign();
  await vi.waitFor(() => expect(runningOf(test.foreignWebsite.id)).toBe(2));
  let open = calls.length;
  for (const call of calls) void call.then(() => (open -= 1));
  while (open > 0) {
    running[0]?.end();
    await new Promise(setImmediate);
  }
  expect((await other).status).toBe(200);
  await Promise.all(calls);
});

it('scans need no place among the everyday reads', async () => {
  const { running, own } = await setUp({ scan: {} });
  const call = own();
  await vi.waitFor(() => expect(running).toHaveLength(STATEMENTS));
  for (const { end } of [...running]) end();
  expect((await call).status).toBe(200);
});

describe('a read that waits', () => {
  const query = { name: 'q', sql: '', params: {}, row: z.unknown() };

  /** A store whose reads take a given time. */
  function share(mostWaitMs = 10_000) {
    const running: { signal: AbortSignal | undefined; end: () => void }[] = [];
    let now = 0;
    const reader: ClickHouseReader = {
      read: ({ signal }) =>
        new Promise((resolve) => {
          const one = {
            signal,
            end() {
              running.splice(running.indexOf(one), 1);
              resolve([]);
            },
          };
          running.push(one);
        }),
    };
    const { readerOf } = shareReads(reader, { now: () => now, mostAtOnce: 3, mostWaitMs });
    /** A hundred reads of two seconds. */
    async function slowDown() {
      for (let each = 0; each < 100; each++) {
        const read = readerOf('org_1').read(query);
        while (running.length === 0) await new Promise(setImmediate);
        now += 2_000;
        running[0]!.end();
        await read;
      }
    }
    return { running, readerOf, slowDown };
  }

  it('does not start more reads of all organisations than the engine has sessions for them', async () => {
    const { running, readerOf } = share();
    const reads = ['org_1', 'org_1', 'org_2', 'org_2', 'org_3'].map((id) => readerOf(id).read(query));
    await vi.waitFor(() => expect(running).toHaveLength(3));
    running[0]!.end();
    await vi.waitFor(() => expect(running).toHaveLength(3));
    while (running.length > 0) {
      running[0]!.end();
      await new Promise(setImmediate);
    }
    await Promise.all(reads);
  });

  it('waits for the debt of its answers without a place, so that others can take it', async () => {
    let now = 0;
    const started: string[] = [];
    const reader: ClickHouseReader = {
      async read({ sql, report }) {
        started.push(sql);
        const characters = sql === 'long' ? 24_800_000 : 1;
        report?.({ rowsRead: 1, bytesRead: 1, elapsedSeconds: 0, characters });
        return [];
      },
    };
    const { readerOf } = shareReads(reader, { now: () => now, mostAtOnce: 1, mostWaitMs: 5_000 });
    await readerOf('org_1').read({ ...query, sql: 'long' });
    const late = readerOf('org_1').read({ ...query, sql: 'late' });
    await readerOf('org_2').read({ ...query, sql: 'other' });
    expect(started).toEqual(['long', 'other']);
    now += 200;
    await late;
    expect(started.at(-1)).toBe('late');
  });

  it('is refused after a while with a Retry-After close to the time of the others', async () => {
    const { running, readerOf, slowDown } = share(30);
    const own = readerOf('org_1');
    await slowDown();
    const first = [own.read(query), own.read(query)];
    const late = await Promise.allSettled(Array.from({ length: 10 }, () => own.read(query)));
    for (const one of late) {
      expect(one).toMatchObject({ status: 'rejected', reason: { status: 503 } });
      const seconds = (one as PromiseRejectedResult).reason.retryAfterSeconds;
      expect(seconds).toBeGreaterThanOrEqual(1);
      expect(seconds).toBeLessThanOrEqual(10);
    }
    expect((late[0] as PromiseRejectedResult).reason.retryAfterSeconds).toBeGreaterThan(5);
    for (const { end } of [...running]) end();
    await Promise.all(first);
    const next = own.read(query);
    await vi.waitFor(() => expect(running).toHaveLength(1));
    running[0]!.end();
    await next;
  });

  it('is refused with a Retry-After that includes the turns of other organisations', async () => {
    const { running, readerOf, slowDown } = share(30);
    await slowDown();
    const first = Array.from({ length: 3 }, (_, index) => readerOf(`org_${index}`).read(query));
    const others = Array.from({ length: 12 }, (_, index) => readerOf(`other_${index}`).read(query));
    // Twelve organisations wait for three places, a read of each.
    const [refused] = await Promise.allSettled(others);
    expect(refused).toMatchObject({ status: 'rejected', reason: { status: 503, retryAfterSeconds: 8 } });
    for (const { end } of [...running]) end();
    await Promise.all(first);
  });

  it('leaves the queue when its caller disconnects, and never runs', async () => {
    const { running, readerOf } = share();
    const first = [readerOf('org_1').read(query), readerOf('org_1').read(query)];
    const caller = new AbortController();
    const mine = readerOf('org_1', caller.signal);
    const waiting = Array.from({ length: 200 }, () => mine.read(query));
    const others = Array.from({ length: 56 }, () => readerOf('org_1').read(query));
    caller.abort(new Error('gone'));
    for (const one of await Promise.allSettled(waiting))
      expect(one).toMatchObject({ status: 'rejected', reason: expect.any(ReadEndedError) });
    // Their places in the queue are free for others at once, although earlier reads still run.
    const more = Array.from({ length: 200 }, () => readerOf('org_1').read(query));
    while (running.length > 0) {
      expect(running.length).toBeLessThanOrEqual(2);
      running[0]!.end();
      await new Promise((turn) => setImmediate(turn));
    }
    await Promise.all([...first, ...others, ...more]);
    await expect(mine.read(query)).rejects.toBeInstanceOf(ReadEndedError);
  });

  it('passes the signal of its caller to the store; a scan continues without', async () => {
    const { running, readerOf } = share();
    const caller = new AbortController();
    const mine = readerOf('org_1', caller.signal);
    const reads = [mine.read(query), mine.read({ ...query, scan: {} })];
    await vi.waitFor(() => expect(running).toHaveLength(2));
    expect(running.map(({ signal }) => signal)).toContain(caller.signal);
    expect(running.map(({ signal }) => signal)).toContain(undefined);
    for (const { end } of [...running]) end();
    await Promise.all(reads);
  });
});

describe('the length of answers', () => {
  const query = { name: 'q', sql: '', params: {}, row: z.unknown() };

  /** A store whose answers have a requested number of characters. */
  function share() {
    let now = 0;
    const lengths: number[] = [];
    const reader: ClickHouseReader = {
      async read({ sql, report }) {
        const characters = Number(sql);
        lengths.push(characters);
        report?.({ rowsRead: 1, bytesRead: 1, elapsedSeconds: 0, characters });
        return [];
      },
    };
    const { readerOf, payerOf } = shareReads(reader, { now: () => now, mostAtOnce: 3, mostWaitMs: 1_000 });
    const read = (organisationId: string, characters: number, scan?: object) =>
      readerOf(organisationId).read({ ...query, sql: String(characters), ...(scan && { scan }) });
    return { lengths, read, payerOf, advance: (ms: number) => (now += ms) };
  }

  it.each([[undefined], [{}]])(
    'counts in everyday reads and scans (%j): after long answers, the reader waits',
    async (scan) => {
      const { lengths, read, advance } = share();
      // The debt lasts longer than a caller waits.
      await Promise.all([read('org_1', 20_000_000, scan), read('org_1', 20_000_000, scan)]);
      await expect(read('org_1', 10, scan)).rejects.toMatchObject({ status: 503, retryAfterSeconds: 2 });
      await read('org_2', 10);
      advance(2_000);
      await read('org_1', 20, scan);
      expect(lengths.slice(-2)).toEqual([10, 20]);
    },
  );

  it('makes a reader with a short debt wait', async () => {
    const { lengths, read, advance } = share();
    await read('org_1', 24_800_000);
    const late = read('org_1', 1);
    await read('org_2', 2);
    advance(200);
    expect(lengths.at(-1)).toBe(2);
    await late;
    expect(lengths.at(-1)).toBe(1);
  });

  it('includes rows that were read for several organisations', async () => {
    const { read, payerOf, advance } = share();
    const payer = payerOf('org_1');
    payer.charge(40_000_000);
    await expect(payer.pay()).rejects.toMatchObject({ status: 503 });
    await expect(read('org_1', 10)).rejects.toMatchObject({ status: 503 });
    await payerOf('org_2').pay();
    advance(2_000);
    await payer.pay();
  });

  it('causes no wait for answers of usual length', async () => {
    const { lengths, read, advance } = share();
    for (let each = 0; each < 100; each++) {
      await read('org_1', 600_000);
      advance(100);
    }
    expect(lengths).toHaveLength(100);
  });
});
