import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../shared/durations.js';
import type { FilledBucket } from '../../../shared/reads/hours/fill-statement.js';
import { UnknownStateError } from '../../../shared/reads/hours/state-fold.js';
import { volumeMetrics } from '../../../shared/reads/sql/metrics.js';
import { paths, traffic } from '../../../shared/reads/sql/read-tables.js';
import { selectTotal } from '../../../shared/reads/sql/select.js';
import type { ClickHouseReader, Query } from '../../../shared/store/client.js';
import {
  AnswerTooLongError,
  ReadTooLargeError,
  StoreTimeoutError,
} from '../../../shared/store/store-errors.js';
import { createDataVersions, unknownVersions } from '../answer-cache/data-versions.js';
import type { RowSource } from './count-reads.js';
import { createHoursKeeper } from './keep-hours.js';

const atOnce = { small: 0, large: 0 };
const payer = { organisationId: 'org', pay: async () => {}, charge() {} };
const FIRST = 500_000;
const NOW = (FIRST + 100) * HOUR_MS;

type Asked = Pick<Query<unknown>, 'name' | 'params'>;

/** Each hour has one row with `requests` requests. */
function storeOf(requests: number) {
  const store = {
    requests,
    expiresAt: Number.POSITIVE_INFINITY,
    /** A website whose rows can not be decoded. */
    unknown: '',
    /** First and last hour of each statement; null: of the engine. */
    asked: [] as ([number, number] | null)[],
    before: async (_query: Asked) => {},
    async read({ name, params }: Asked) {
      await store.before({ name, params });
      if (!name.startsWith('kept_hours.')) {
        store.asked.push(null);
        return [{ list: 0, requests: -1 }];
      }
      const [from, to] = [Number(params.from_0) * 1000, Number(params.to_0) * 1000];
      store.asked.push([from / HOUR_MS - FIRST, to / HOUR_MS - FIRST - 1]);
      const starts = Array.from({ length: (to - from) / HOUR_MS }, (_, hour) => from + hour * HOUR_MS);
      return websitesOf(params).flatMap((one) => starts.map((start) => bucket(one, start, store)));
    },
  };
  return store as typeof store & ClickHouseReader;
}

const websitesOf = (params: Asked['params']) => params.website_ids as readonly string[];

function bucket(
  websiteId: string,
  start: number,
  { requests, expiresAt, unknown }: { requests: number; expiresAt: number; unknown: string },
): FilledBucket {
  const texts = ['country', 'traffic_class'].map((name) => [name, { codes: null, values: ['x'] }] as const);
  return {
    ...{ websiteId, start, expiresAt, length: 1 },
    rows() {
      if (websiteId === unknown) throw new UnknownStateError();
      return {
        columns: new Map([...texts, ['status', { codes: null, values: [200] }]] as never),
        figures: new Map(volumeMetrics.map((name) => [name, [requests]])),
        states: new Map(),
        from: 0,
        to: 1,
      };
    },
  };
}

const total = async (reader: ClickHouseReader, from = 0, to = 4, websiteId = 'a') => {
  const window = { start: (FIRST + from) * HOUR_MS, end: (FIRST + to) * HOUR_MS };
  const question = { name: 'q', from: [traffic], metrics: ['requests'] } as const;
  return (await selectTotal(reader, { websiteId, window, filters: {} }, question)).requests;
};

function open(versions = createDataVersions(() => NOW), maxBytes = 1024 ** 2, readsBefore = atOnce) {
  let now = NOW;
  const store = storeOf(1);
  const sources: RowSource[] = [];
  const keeper = createHoursKeeper({
    ...{ versions, now: () => now, maxBytes, readsBefore, filler: store },
    onRead: (source) => sources.push(source),
  });
  return {
    versions,
    sources,
    store,
    reader: keeper.withHours(store, payer),
    keeper,
    advance: (ms: number) => {
      now += ms;
    },
  };
}

const changed = (hour: number) => [{ websiteId: 'a', firstHour: FIRST + hour, lastHour: FIRST + hour }];

describe('rows of hours', () => {
  it('are read once for reads at the same time, and for later ones', async () => {
    const { reader, store } = open();
    expect(await Promise.all([total(reader), total(reader), total(reader, 1, 3)])).toEqual([4, 4, 2]);
    expect(await total(reader, 1, 5)).toBe(4);
    expect(store.asked).toEqual([
      [0, 3],
      [4, 4],
    ]);
  });

  it('are read again after their hour has changed, without the other hours', async () => {
    const { reader, store, versions } = open();
    await total(reader);
    store.requests = 10;
    versions.raise(changed(2));
    expect(await total(reader)).toBe(13);
    versions.raise([{ websiteId: 'a', keepsRows: true }, { websiteId: 'b' }]);
    expect(await total(reader)).toBe(13);
    expect(store.asked).toEqual([
      [0, 3],
      [2, 2],
    ]);
    versions.raise([{ websiteId: 'a' }]);
    expect(await total(reader)).toBe(40);
  });

  it.each([-40 * 24, -24])(
    'are read again by expiry only when rows of their hour expire: %s',
    async (ago) => {
      let now = NOW;
      const { reader, store, versions } = open(createDataVersions(() => now));
      const fills = async () => {
        await total(reader, ago, ago + 2);
        return store.asked.length;
      };
      store.expiresAt = NOW + DAY_MS;
      expect(await fills()).toBe(1);
      now += DAY_MS - 1;
      expect(await fills()).toBe(1);
      versions.raise(changed(ago + 1));
      expect(await fills()).toBe(2);
      now += 1;
      expect(await fills()).toBe(3);
      // Until the engine has removed them.
      now += 10 * MINUTE_MS;
      expect(await fills()).toBe(4);
      expect(await fills()).toBe(4);
      store.expiresAt = Number.POSITIVE_INFINITY;
      now += 10 * MINUTE_MS;
      expect(await fills()).toBe(5);
      now += DAY_MS;
      expect(await fills()).toBe(5);
    },
  );

  it('are read again after a change during the read', async () => {
    const { reader, store, versions } = open();
    store.before = async () => versions.raise(changed(1));
    await total(reader);
    store.before = async () => {};
    store.requests = 5;
    expect(await total(reader)).toBe(8);
  });

  it('come from the newest read, if a read before their change is still running', async () => {
    const { reader, store, versions } = open();
    let finish = () => {};
    store.before = async () => {
      await new Promise<void>((resolve) => {
        finish = resolve;
      });
      store.requests = 1;
    };
    const before = total(reader);
    await sleep(1);
    versions.raise(changed(2));
    store.before = async () => {
      store.requests = 10;
    };
    const after = total(reader);
    await sleep(1);
    finish();
    expect([await before, await after]).toEqual([4, 13]);
  });

  it('that could not be read are read by the next call', async () => {
    const { reader, store } = open();
    store.before = () => Promise.reject(new Error('away'));
    await expect(Promise.all([total(reader), total(reader)])).rejects.toThrow('away');
    store.before = async () => {};
    expect(await total(reader)).toBe(4);
  });

  it('of a website take at most half of the memory, and those of all websites all of it', async () => {
    const { reader, keeper } = open(undefined, 40_000);
    for (let from = 0; from < 3_000; from += 24) await total(reader, from, from + 24);
    expect(keeper.bytes()).toBeGreaterThan(10_000);
    expect(keeper.bytes()).toBeLessThan(21_000);
    for (let website = 0; website < 100; website++) await total(reader, 0, 4, `w${website}`);
    expect(keeper.bytes()).toBeGreaterThan(20_000);
    expect(keeper.bytes()).toBeLessThanOrEqual(40_000);
  });

  it('of other websites remain when one uses its share of the memory', async () => {
    const { reader, store, advance } = open(undefined, 40_000);
    await total(reader, 0, 4, 'b');
    for (let from = 0; from < 3_000; from += 24) {
      await total(reader, from, from + 24);
      advance(10 * MINUTE_MS);
    }
    store.asked = [];
    await total(reader, 0, 4, 'b');
    await total(reader, 2_976, 3_000);
    expect(store.asked).toEqual([]);
  });

  it('are not evicted for those of others while they are in use', async () => {
    const { reader, store, sources } = open(undefined, 40_000);
    const websites = Array.from({ length: 100 }, (_, index) => `w${index}`);
    const askAll = async () => {
      for (const website of websites) await total(reader, 0, 24, website);
    };
    await askAll();
    store.asked = [];
    await askAll();
    expect(store.asked.every((hours) => hours === null)).toBe(true);
    expect(store.asked.length).toBeLessThan(100);
    expect(new Set(sources.slice(-100))).toEqual(new Set(['memory', 'full']));
  });

  it('are kept only after the engine has answered some reads of their rollup', async () => {
    const { reader, store, sources } = open(undefined, undefined, { small: 2, large: 0 });
    for (const from of [0, 24, 48]) await total(reader, from, from + 24);
    expect(store.asked).toEqual([null, null, [48, 71]]);
    expect(sources).toEqual(['first', 'first', 'memory']);
  });
});

describe('the engine answers', () => {
  it('in a process that can not know the versions of hours', async () => {
    const { reader, store, sources } = open({ ...unknownVersions, raise() {} });
    expect(await total(reader)).toBe(-1);
    expect(sources).toEqual(['unknown']);
    expect(store.asked).toEqual([null]);
  });

  it('for a window whose edge is no multiple of ten seconds', async () => {
    const { reader, store } = open();
    expect(await total(reader, 1 / HOUR_MS)).toBe(-1);
    expect(store.asked).toEqual([null]);
  });

  it('for ten minutes after a read of a rollup was too large, except windows of at most half as many hours', async () => {
    const { reader, store, advance } = open(undefined, 40_000);
    const fills = () => store.asked.filter((one) => one !== null);
    expect(await total(reader, 0, 48)).toBe(-1);
    expect(await total(reader, 0, 25)).toBe(-1);
    expect(fills().length).toBe(1);
    expect(await total(reader, 16, 40)).toBe(24);
    expect(fills().length).toBe(2);
    advance(11 * 60_000);
    // The cache asks its clock once in a millisecond.
    await sleep(5);
    await total(reader, 0, 48);
    expect(fills().length).toBeGreaterThan(2);
  });

  it('without reading the other hours, if the first ones need too much of the memory', async () => {
    const { reader, store, keeper } = open(undefined, 20_000);
    expect(await total(reader, 0, 1_400)).toBe(-1);
    expect(store.asked.filter((one) => one !== null).length).toBe(1);
    expect(keeper.bytes()).toBeLessThan(5_000);
  });

  it('for a window of more than 62 days', async () => {
    const { reader, store } = open();
    expect(await total(reader, 0, 63 * 24)).toBe(-1);
    expect(store.asked).toEqual([null]);
  });

  it.each([
    new AnswerTooLongError(),
    new ReadTooLargeError(),
    new StoreTimeoutError(),
    new UnknownStateError(),
  ])('if the hours are too much for one read, or unknown: %s', async (error) => {
    const { reader, store, sources } = open();
    store.before = async ({ name }) => {
      if (name.startsWith('kept_hours.')) throw error;
    };
    expect(await Promise.all([total(reader), total(reader, 1, 3)])).toEqual([-1, -1]);
    expect(sources).toEqual(['large', 'large']);
  });
});

it('counts the values of hours that are too large to keep, and stays within the memory', async () => {
  const values = Array.from({ length: 4_000 }, (_, index) => `/${index}`);
  const rows = {
    ...{ states: new Map(), from: 0, to: values.length },
    columns: new Map([['path', { codes: null, values }]] as const),
    figures: new Map(paths.metrics.map((name) => [name, values.map(() => 1)])),
  };
  const read = async ({ name, params }: Asked) =>
    name.startsWith('kept_hours.')
      ? websitesOf(params).map((websiteId) => ({
          ...{ websiteId, start: Number(params.from_0) * 1000, length: values.length, rows: () => rows },
        }))
      : [];
  const store = { read } as ClickHouseReader;
  const keeper = createHoursKeeper({
    ...{ versions: createDataVersions(() => NOW), now: () => NOW, maxBytes: 1024 ** 2, readsBefore: atOnce },
    filler: store,
    onRead() {},
  });
  const reader = keeper.withHours(store, payer);
  const window = { start: FIRST * HOUR_MS, end: (FIRST + 1) * HOUR_MS };
  const question = { name: 'q', from: [paths], metrics: ['requests'] } as const;
  for (let website = 0; website < 10; website++) {
    await selectTotal(reader, { websiteId: `w${website}`, window, filters: {} }, question);
    if (website === 0) expect(keeper.bytes()).toBeGreaterThan(300_000);
  }
  expect(keeper.bytes()).toBeLessThan(1024 ** 2);
});

it('reads changed hours of websites together, and one whose rows are unknown alone from the engine', async () => {
  const { reader, store, versions } = open();
  const websites = Array.from({ length: 12 }, (_, index) => `w${index}`);
  const askAll = () => Promise.all(websites.map((websiteId) => total(reader, 0, 4, websiteId)));
  expect(await askAll()).toEqual(websites.map(() => 4));
  store.requests = 10;
  store.unknown = 'w7';
  store.asked = [];
  versions.raise(websites.map((websiteId) => ({ websiteId, firstHour: FIRST + 2, lastHour: FIRST + 2 })));
  expect(await askAll()).toEqual(websites.map((websiteId) => (websiteId === 'w7' ? -1 : 13)));
  expect(store.asked).toEqual([[2, 2], [2, 2], [2, 2], null]);
});

it('reads fewer hours at once if the answer is too long', async () => {
  const { reader, store } = open();
  store.before = async ({ params }) => {
    if (Number(params.to_0) - Number(params.from_0) > 48 * 3_600) throw new AnswerTooLongError();
  };
  // The first day begins 16 hours after FIRST.
  expect(await total(reader, 16, 112)).toBe(96);
  expect(store.asked).toEqual([
    [16, 63],
    [64, 111],
  ]);
});
