import { describe, expect, test } from 'vitest';
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../shared/durations.js';
import { settle, start, useStoppedClock, website } from './service.fixture.js';
import type { JobWebsite, WebsiteJob } from './website-job.js';

/** Who gets a place, where others hold or want them all. */

useStoppedClock();

/** Websites of organisations that answer until they are told to end. */
const slowOnes = (organisations: number, each: number) =>
  Array.from({ length: organisations * each }, (_, n) => website(`slow${n}`, `evil${n % organisations}`));
const never = (signal: AbortSignal) =>
  new Promise<void>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
const isSlow = ({ id }: Pick<JobWebsite, 'id'>) => id.startsWith('slow');

describe('where organisations hold every place', () => {
  test('the website of another one is served within minutes, and no run is cut before somebody waits', async () => {
    const websites = slowOnes(4, 100);
    const { ran, ended } = await start({
      websites,
      run: (each, signal) => (isSlow(each) ? never(signal) : Promise.resolve()),
    });
    await settle(5 * MINUTE_MS);
    expect([ran.length, ended.length]).toEqual([16, 0]);
    websites.push(website('victim'));
    await settle(3 * MINUTE_MS);
    expect(ran).toContain('victim');
    expect(ended.filter(({ websiteId }) => websiteId !== 'victim')).toMatchObject([
      { outcome: 'timed_out', failures: 1 },
    ]);
  });

  test('a hundred of them make the others wait for one turn of each', async () => {
    const websites = slowOnes(100, 4);
    const { ran } = await start({
      websites,
      run: (each, signal) => (isSlow(each) ? never(signal) : Promise.resolve()),
    });
    await settle(SECOND_MS);
    websites.push(website('victim'));
    await settle(20 * MINUTE_MS);
    expect(ran).toContain('victim');
  });

  test('an organisation with one website waits for no more than a turn of one with a thousand', async () => {
    const many = Array.from({ length: 1_000 }, (_, n) => website(`many${n}`, 'big'));
    const { ran } = await start({
      websites: [...many, website('single')],
      run: () => new Promise((resolve) => setTimeout(resolve, MINUTE_MS)),
    });
    await settle(SECOND_MS);
    expect(ran).toContain('single');
  });

  test('what fetches nothing has places of its own', async () => {
    const built: string[] = [];
    const build: WebsiteJob = {
      name: 'build',
      everyMs: DAY_MS,
      fetches: false,
      async run({ id }) {
        built.push(id);
      },
    };
    const fetch: WebsiteJob = {
      name: 'fetch',
      everyMs: DAY_MS,
      fetches: true,
      run: (_, { signal }) => never(signal),
    };
    const websites = slowOnes(4, 4);
    await start({ websites, jobs: [fetch, build] });
    await settle(SECOND_MS);
    websites.push(website('victim'));
    await settle(30 * SECOND_MS);
    expect(built).toEqual(['victim']);
  });
});

describe('websites that send no logs', () => {
  test('are fetched from in their first days, and from then on no more', async () => {
    const { ran } = await start({ websites: [website('silent')], readActive: async () => new Set() });
    await settle(7 * DAY_MS);
    const before = ran.length;
    expect(before).toBeGreaterThan(5);
    await settle(5 * DAY_MS);
    expect(ran).toHaveLength(before);
  });

  test('are fetched from again within an hour of their first logs', async () => {
    const active = new Set<string>();
    const { ran } = await start({ websites: [website('silent')], readActive: async () => new Set(active) });
    await settle(10 * DAY_MS);
    const before = ran.length;
    active.add('silent');
    await settle(HOUR_MS + MINUTE_MS);
    expect(ran).toHaveLength(before + 1);
  });
});
