import { describe, expect, test } from 'vitest';
import { DAY_MS, MINUTE_MS, SECOND_MS } from '../../shared/durations.js';
import { settle, start, useStoppedClock, website } from '../../test/harness/jobs/service.js';
import type { JobWebsite, WaitsFor, WebsiteJob } from './runner/website-job.js';

/** The order of runs if organisations occupy or want every place. */

useStoppedClock();

/** Websites of organisations whose runs end only when they are aborted. */
const slowOnes = (organisations: number, each: number) =>
  Array.from({ length: organisations * each }, (_, n) => website(`slow${n}`, `evil${n % organisations}`));
const never = (signal: AbortSignal) =>
  new Promise<void>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
const isSlow = ({ id }: Pick<JobWebsite, 'id'>) => id.startsWith('slow');

describe('organisations that occupy every place', () => {
  test('delay another organisation’s website by minutes at most, and no run is cut before another waits', async () => {
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

  test('delay other organisations by one turn of each, even if there are a hundred', async () => {
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

  test('delay an organisation with one website by at most one turn, even with a thousand websites', async () => {
    const many = Array.from({ length: 1_000 }, (_, n) => website(`many${n}`, 'big'));
    const { ran } = await start({
      websites: [...many, website('single')],
      run: () => new Promise((resolve) => setTimeout(resolve, MINUTE_MS)),
    });
    await settle(SECOND_MS);
    expect(ran).toContain('single');
  });

  test.each<[WaitsFor, number]>([
    ['website', 4],
    ['store', 2],
    ['model', 2],
  ])('runs that hang on their %s hold up none that wait for something else', async (slow, most) => {
    const ran: string[] = [];
    const job = (waitsFor: WaitsFor): WebsiteJob => ({
      ...{ name: waitsFor, everyMs: DAY_MS, waitsFor },
      run(each, { signal }) {
        ran.push(`${waitsFor} of ${each.id}`);
        return waitsFor === slow ? never(signal) : Promise.resolve();
      },
    });
    const websites = slowOnes(4, 4);
    await start({ websites, jobs: (['website', 'store', 'model'] as const).map(job) });
    await settle(SECOND_MS);
    websites.push(website('victim'));
    await settle(30 * SECOND_MS);
    const others = (['website', 'store', 'model'] as const).filter((each) => each !== slow);
    for (const each of others) expect(ran).toContain(`${each} of victim`);
    const hanging = ran.filter((one) => one.startsWith(`${slow} of slow`));
    const ofFirst = hanging.filter((one) => Number(one.split('slow')[1]) % 4 === 0);
    expect(hanging).toHaveLength(slow === 'website' ? 16 : 4);
    expect(ofFirst.length).toBeLessThanOrEqual(most);
  });

  test('a model that never answers delays no other job of its website, and gets one insight of it at a time', async () => {
    const ran: string[] = [];
    const job = (name: string, waitsFor: WaitsFor): WebsiteJob => ({
      ...{ name, everyMs: DAY_MS, waitsFor },
      run(_website, { signal }) {
        ran.push(name);
        return waitsFor === 'model' ? never(signal) : Promise.resolve();
      },
    });
    await start({
      websites: [website('a')],
      jobs: [job('insights', 'model'), job('more', 'model'), job('robots', 'website'), job('days', 'store')],
    });
    await settle(MINUTE_MS);
    expect(ran.sort()).toEqual(['days', 'insights', 'robots']);
  });
});
