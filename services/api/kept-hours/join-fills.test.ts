import { describe, expect, it, vi } from 'vitest';
import { HOUR_MS } from '../../../shared/durations.js';
import { keptRollupOf } from '../../../shared/reads/hours/kept-rollups.js';
import { traffic } from '../../../shared/reads/sql/read-tables.js';
import type { ClickHouseReader, Query } from '../../../shared/store/client.js';
import {
  AnswerTooLongError,
  StoreTimeoutError,
  StoreUnavailableError,
} from '../../../shared/store/store-errors.js';
import { createFillReader, TooManyFillsError } from './join-fills.js';

const FIRST = 500_000;

/** A store that answers on command. Each website has one row with ten characters. */
function open() {
  const running: { websites: readonly string[]; end(error?: Error): void }[] = [];
  const asked: (readonly string[])[] = [];
  const spent = new Map<string, number>();
  const store = {
    running,
    asked,
    spent,
    read: ({ params, report }: Query<unknown>) =>
      new Promise<unknown[]>((resolve, reject) => {
        const websites = params.website_ids as readonly string[];
        asked.push(websites);
        const one = {
          websites,
          end(error?: Error) {
            running.splice(running.indexOf(one), 1);
            if (error !== undefined) reject(error);
            else {
              report?.({ rowsRead: 1, bytesRead: 1, elapsedSeconds: 0, characters: 10 * websites.length });
              resolve(websites.map((websiteId) => ({ websiteId, start: 0, length: 1 })));
            }
          },
        };
        running.push(one);
      }),
  };
  const filler = createFillReader(store as unknown as ClickHouseReader);
  return {
    ...store,
    /** @returns the websites of the rows */
    async read(
      websiteId: string,
      {
        organisationId = websiteId,
        hour = 0,
        hours = 1,
        segment = '',
        pay = async () => {},
        expectedCharacters = 10,
      } = {},
    ) {
      const from = (FIRST + hour) * HOUR_MS;
      const rules = [{ type: 'regex', value: segment } as const];
      const rollup = keptRollupOf(traffic, segment === '' ? undefined : { rules, excludeRules: [] })!;
      const charge = (characters: number) =>
        spent.set(organisationId, (spent.get(organisationId) ?? 0) + characters);
      const { buckets } = await filler.read({
        ...{ websiteId, rollup, unit: HOUR_MS, expectedCharacters },
        ranges: [{ from, to: from + hours * HOUR_MS }],
        payer: { organisationId, pay, charge },
      });
      return buckets.map((bucket) => bucket.websiteId);
    },
    async settled() {
      await new Promise((resolve) => setTimeout(resolve, 1));
    },
    /** Ends statements until there are none. */
    async endAll(errorOf: (websites: readonly string[]) => Error | undefined = () => undefined) {
      await new Promise((resolve) => setTimeout(resolve, 1));
      while (running.length > 0) {
        running[0]!.end(errorOf(running[0]!.websites));
        await new Promise((resolve) => setTimeout(resolve, 1));
      }
    },
  };
}

const names = (count: number) => Array.from({ length: count }, (_, index) => `w${index}`);

describe('wanted rows', () => {
  it('are read at once while statements are free, and then together for at most 20 websites', async () => {
    const { read, endAll, asked, spent } = open();
    const reads = names(30).map((name) => read(name));
    await endAll();
    expect(await Promise.all(reads)).toEqual(names(30).map((name) => [name]));
    expect(asked.map(({ length }) => length)).toEqual([1, 1, 20, 8]);
    expect([...spent.values()]).toEqual(names(30).map(() => 10));
  });

  it('are read together as far as a statement can return their rows', async () => {
    const { read, endAll, asked } = open();
    const sizes = [1, 1, 3e6, 1e6, 1e6, 5e6, 1e5];
    const reads = sizes.map((expectedCharacters, index) => read(`w${index}`, { expectedCharacters }));
    await endAll();
    await Promise.all(reads);
    expect(asked).toEqual([['w0'], ['w1'], ['w2', 'w3', 'w6'], ['w4'], ['w5']]);
  });

  it('that two reads of a website want are read once', async () => {
    const { read, endAll, asked } = open();
    const reads = ['a', 'b', 'c', 'c', 'd'].map((name) => read(name));
    await endAll();
    expect((await Promise.all(reads)).flat()).toEqual(['a', 'b', 'c', 'c', 'd']);
    expect(asked).toEqual([['a'], ['b'], ['c', 'd']]);
  });

  it('of different hours are read by different statements, and organisations take turns', async () => {
    const { read, endAll, asked } = open();
    const reads = [
      ...names(8).map((name, hour) => read(name, { organisationId: 'busy', hour })),
      read('other', { hour: 100 }),
      read('w8', { organisationId: 'busy', hour: 2 }),
    ];
    await endAll();
    await Promise.all(reads);
    expect(asked.map((one) => one.join('+'))).toEqual('w0 w1 w2+w8 other w3 w4 w5 w6 w7'.split(' '));
  });

  it('of one hour do not wait for those of many hours', async () => {
    const { read, running, settled, endAll } = open();
    const reads = [0, 1, 2].map((hour) => read('a', { hour, hours: 100 }));
    reads.push(read('b'));
    await settled();
    expect(running.map(({ websites }) => websites)).toEqual([['a'], ['b']]);
    await endAll();
    await Promise.all(reads);
  });

  it('of one hour do not wait for those of segments', async () => {
    const { read, running, settled, endAll } = open();
    const reads = ['x+', 'y+', 'z+'].map((segment) => read('a', { segment }));
    reads.push(read('b'));
    await settled();
    expect(running.map(({ websites }) => websites)).toEqual([['a'], ['b']]);
    await endAll();
    await Promise.all(reads);
  });

  it('that wait for five seconds are refused, and the next ones are read', async () => {
    vi.useFakeTimers();
    try {
      const { read, asked, running } = open();
      const reads = ['a', 'b', 'c', 'd'].map((name, hour) => read(name, { hour: Math.min(hour, 2) }));
      const late = Promise.allSettled(reads.slice(2));
      await vi.advanceTimersByTimeAsync(6_000);
      expect((await late).map((one) => (one as PromiseRejectedResult).reason)).toEqual([
        expect.any(TooManyFillsError),
        expect.any(TooManyFillsError),
      ]);
      for (const one of [...running]) one.end();
      expect(await Promise.all(reads.slice(0, 2))).toEqual([['a'], ['b']]);
      expect(asked).toEqual([['a'], ['b']]);
      const next = read('c', { hour: 2 });
      await vi.advanceTimersByTimeAsync(1);
      running[0]!.end();
      expect(await next).toEqual(['c']);
      expect(vi.getTimerCount()).toBe(0);
    } finally {
      vi.useRealTimers();
    }
  });

  it('of one organisation are bounded, and those of others are read', async () => {
    const { read, endAll } = open();
    const reads = Promise.allSettled(
      Array.from({ length: 300 }, (_, hour) => read('a', { organisationId: 'busy', hour })),
    );
    const other = read('b');
    await endAll();
    const failed = (await reads).filter(({ status }) => status === 'rejected');
    expect(failed.length).toBe(300 - 256 - 2);
    expect(failed[0]).toMatchObject({ reason: expect.any(TooManyFillsError) });
    expect(await other).toEqual(['b']);
  });

  it('are refused if their organisation can not pay, and those of others are read', async () => {
    const { read, endAll, asked } = open();
    const late = read('a', { pay: () => Promise.reject(new Error('debt')) });
    const other = read('b');
    await expect(late).rejects.toThrow('debt');
    await endAll();
    await other;
    expect(asked).toEqual([['b']]);
  });
});

describe('an error', () => {
  it.each([new AnswerTooLongError(), new Error('unreadable')])(
    'in the rows of one website fails only its own reads: %s',
    async (error) => {
      const { read, endAll, asked } = open();
      const reads = Promise.allSettled(names(22).map((name) => read(name)));
      await endAll((websites) => (websites.includes('w9') ? error : undefined));
      const settled = await reads;
      expect(settled.map(({ status }) => status === 'rejected')).toEqual(
        names(22).map((name) => name === 'w9'),
      );
      expect(settled[9]).toMatchObject({ reason: error });
      expect(asked.length).toBeLessThan(13);
    },
  );

  it.each([new StoreUnavailableError(), new StoreTimeoutError()])(
    'of the engine fails all reads, without further statements: %s',
    async (error) => {
      const { read, endAll, asked } = open();
      const reads = Promise.allSettled(names(22).map((name) => read(name)));
      await endAll(() => error);
      expect((await reads).every(({ status }) => status === 'rejected')).toBe(true);
      expect(asked.length).toBe(3);
      const next = read('w0');
      await endAll();
      expect(await next).toEqual(['w0']);
    },
  );

  it('of time makes the engine answer for all websites, which are read alone from then on', async () => {
    const { read, endAll, asked } = open();
    const all = () => Promise.allSettled(names(6).map((name) => read(name)));
    const slow = (websites: readonly string[]) =>
      websites.includes('w3') ? new StoreTimeoutError() : undefined;
    const first = all();
    await endAll(slow);
    for (const one of (await first).slice(2))
      expect(one).toMatchObject({ reason: expect.any(TooManyFillsError) });
    expect(asked).toEqual([['w0'], ['w1'], ['w2', 'w3', 'w4', 'w5']]);
    const second = all();
    await endAll(slow);
    const settled = await second;
    expect(settled.map(({ status }) => status === 'rejected')).toEqual(names(6).map((name) => name === 'w3'));
    expect(settled[3]).toMatchObject({ reason: expect.any(StoreTimeoutError) });
  });
});
