import { describe, expect, test } from 'vitest';
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../shared/durations.js';
import { JOBS_GROUP } from '../../shared/event-log/consumer-groups.js';
import { requestJob } from '../../shared/jobs/job-request.js';
import { START, settle, start, useStoppedClock, website } from '../../test/harness/jobs/service.js';
import { createMemoryEventLog } from '../../test/harness/memory-event-log.js';
import type { JobRun } from './runner/job-runs.js';
import type { JobDeps, JobWebsite, WebsiteJob } from './runner/website-job.js';

useStoppedClock();

describe('the schedule', () => {
  test('a new website is served within a minute, and once', async () => {
    const websites: JobWebsite[] = [];
    const { ran } = await start({ websites });
    websites.push(website('new'));
    await settle(MINUTE_MS);
    expect(ran).toEqual(['new']);
  });

  test('a restart does not repeat earlier runs', async () => {
    const websites = [website('a'), website('b')];
    const first = await start({ websites });
    expect(first.ran.toSorted()).toEqual(['a', 'b']);
    await first.service.stop();
    const second = await start({ websites, stored: first.stored });
    await settle(HOUR_MS);
    expect(second.ran).toEqual([]);
    await settle(2 * DAY_MS);
    expect(new Set(second.ran)).toEqual(new Set(['a', 'b']));
  });

  test('no run begins, and the service is not ready, before the earlier runs are read', async () => {
    let away = true;
    const world = await start({
      websites: [website('a')],
      async readRuns() {
        if (away) throw new Error('store away');
        return [];
      },
    });
    await settle(MINUTE_MS);
    expect(world.ran).toEqual([]);
    expect(world.service.notReady()).toMatch(/ClickHouse/);
    away = false;
    await settle(MINUTE_MS);
    expect(world.ran).toEqual(['a']);
    expect(world.service.notReady()).toBeNull();
  });

  test('several jobs of a website run one after the other, in the order of the list', async () => {
    const order: string[] = [];
    const job = (name: string): WebsiteJob => ({
      name,
      everyMs: DAY_MS,
      waitsFor: 'website',
      async run() {
        order.push(`${name} begins`);
        await new Promise((resolve) => setTimeout(resolve, 15 * SECOND_MS));
        order.push(`${name} ends`);
      },
    });
    await start({ websites: [website('a')], jobs: [job('robots'), job('sitemaps')] });
    await settle(MINUTE_MS);
    expect(order).toEqual(['robots begins', 'robots ends', 'sitemaps begins', 'sitemaps ends']);
  });
});

describe('failures', () => {
  test('a failed job is retried with backoff, and delays no other', async () => {
    const times: number[] = [];
    const { ran, ended } = await start({
      websites: [website('bad'), website('good')],
      async run({ id }) {
        if (id !== 'bad') return;
        times.push(Date.now());
        throw Object.assign(new Error('no'), { code: 'refused' });
      },
    });
    expect(ran).toContain('good');
    await settle(2 * HOUR_MS);
    const waits = times.slice(1).map((at, n) => Math.round((at - times[n]!) / MINUTE_MS));
    expect(waits).toEqual([15, 30, 60]);
    expect(ended.filter(({ websiteId }) => websiteId === 'bad').at(-1)).toMatchObject({
      outcome: 'failed',
      failures: 4,
      problem: 'refused',
    });
  });

  test('a job without data is retried with backoff, and runs daily after it had data', async () => {
    const times: number[] = [];
    const { ended } = await start({
      websites: [website('new')],
      jobs: [
        {
          name: 'build',
          everyMs: DAY_MS,
          waitsFor: 'store',
          run: async () => (times.push(Date.now()) < 3 ? 'nothing_yet' : undefined),
        },
      ],
    });
    await settle(3 * HOUR_MS);
    const waits = times.slice(1).map((at, n) => Math.round((at - times[n]!) / MINUTE_MS));
    expect(waits).toEqual([15, 30]);
    expect(ended.map(({ outcome, failures, problem }) => [outcome, failures, problem])).toEqual([
      ['nothing_yet', 1, ''],
      ['nothing_yet', 2, ''],
      ['done', 0, ''],
    ]);
  });

  test('a run that never ends is aborted, and the website gets its next turn', async () => {
    const { ended } = await start({ websites: [website('a')], run: () => new Promise(() => {}) });
    await settle(16 * MINUTE_MS);
    expect(ended).toMatchObject([{ outcome: 'timed_out', failures: 1 }]);
  });

  test('hanging websites delay no others, and occupy no more places than their organisation has', async () => {
    const slow = Array.from({ length: 50 }, (_, n) => website(`slow${n}`, 'one'));
    const { ran } = await start({
      websites: [...slow, website('quick')],
      run: ({ id }) => (id === 'quick' ? Promise.resolve() : new Promise(() => {})),
    });
    await settle(SECOND_MS);
    expect(ran).toContain('quick');
    expect(ran.filter((id) => id !== 'quick')).toHaveLength(4);
  });

  test('the number of runs is limited by the places', async () => {
    let most = 0;
    let now = 0;
    await start({
      websites: Array.from({ length: 100 }, (_, n) => website(`w${n}`)),
      async run() {
        most = Math.max(most, ++now);
        await new Promise((resolve) => setTimeout(resolve, SECOND_MS));
        now -= 1;
      },
    });
    await settle(MINUTE_MS);
    expect(most).toBe(16);
  });

  test('a result that cannot be stored is known to the process', async () => {
    const { ran } = await start({
      websites: [website('a')],
      recordRun: () => Promise.reject(new Error('store away')),
    });
    await settle(HOUR_MS);
    expect(ran).toEqual(['a']);
  });

  test('nothing is stored for a website that was erased meanwhile', async () => {
    const websites = [website('a')];
    const { ran, ended } = await start({
      websites,
      async run() {
        websites.pop();
      },
    });
    await settle(MINUTE_MS);
    expect(ran).toEqual(['a']);
    expect(ended).toEqual([]);
  });

  test('a run whose website is erased begins no further write, and is ended', async () => {
    const websites = [website('a')];
    const problems: unknown[] = [];
    const { ended, written } = await start({
      websites,
      async run(_, signal, { clickhouse }) {
        const row = { columns: [], rows: Buffer.from(''), deduplicationToken: '' };
        await clickhouse.insert({ ...row, table: 'before' });
        websites.pop();
        await clickhouse.insert({ ...row, table: 'after' }).catch((error) => problems.push(error));
        await clickhouse.command('after').catch((error) => problems.push(error));
        if (!signal.aborted)
          await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
        problems.push('ended');
      },
    });
    await settle(MINUTE_MS);
    const erased = expect.objectContaining({ message: 'the website was erased' });
    expect(problems).toEqual([erased, erased, 'ended']);
    expect(written).toEqual(['before']);
    expect(ended).toEqual([]);
  });

  test('an aborted run begins no further write', async () => {
    const problems: unknown[] = [];
    const { ended, written } = await start({
      websites: [website('a')],
      async run(_, signal, { clickhouse }) {
        await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
        await clickhouse.command('late').catch((error: Error) => problems.push(error.message));
      },
    });
    await settle(16 * MINUTE_MS);
    expect(problems).toEqual(['the run took too long']);
    expect(written).toEqual([]);
    expect(ended).toMatchObject([{ outcome: 'timed_out' }]);
  });
});

describe('requests', () => {
  test('a request runs at once, outside the schedule, and is committed after its run', async () => {
    const websites = [website('a')];
    const requested: boolean[] = [];
    const run = async (_website: unknown, _signal: unknown, deps: JobDeps) =>
      void requested.push(deps.requested);
    const { log, ran } = await start({ websites, run });
    const { partition } = await requestJob(log, { kind: 'fetch', websiteId: 'a' });
    await settle();
    expect(ran).toEqual(['a', 'a']);
    expect(requested).toEqual([false, true]);
    expect((await log.committed('jobs', JOBS_GROUP)).get(partition)?.offset).toBe(1);
  });

  test('a request that was running when the service stopped is read again', async () => {
    const log = createMemoryEventLog(2, Date.now);
    const websites = [website('a')];
    const stored: JobRun[] = [
      { websiteId: 'a', job: 'fetch', startedAt: START, finishedAt: START, failures: 0 },
    ];
    await requestJob(log, { kind: 'fetch', websiteId: 'a' });
    const first = await start({ log, websites, stored, run: () => new Promise(() => {}) });
    expect(first.ran).toEqual(['a']);
    await first.service.stop();
    expect(first.ended).toEqual([]);
    const second = await start({ log, websites, stored });
    expect(second.ran).toEqual(['a']);
    await second.service.stop();
    const third = await start({ log, websites, stored });
    expect(third.ran).toEqual([]);
  });

  test('repeated waiting requests share one run, and all of them are committed', async () => {
    const log = createMemoryEventLog(1, Date.now);
    const ends: (() => void)[] = [];
    const { ran, gauge } = await start({
      log,
      websites: [website('a')],
      stored: [{ websiteId: 'a', job: 'fetch', startedAt: START, finishedAt: START, failures: 0 }],
      run: () => new Promise((resolve) => ends.push(resolve)),
    });
    for (let n = 0; n < 100; n++) await requestJob(log, { kind: 'fetch', websiteId: 'a' });
    await settle();
    expect([ran.length, await gauge('loglane_jobs_waiting')]).toEqual([1, 1]);
    ends[0]!();
    await settle();
    ends[1]!();
    await settle();
    expect([ran.length, await gauge('loglane_jobs_waiting')]).toEqual([2, 0]);
    expect((await log.committed('jobs', JOBS_GROUP)).get(0)?.offset).toBe(100);
  });

  test('invalid requests are skipped, and later ones are carried out', async () => {
    // One partition, so the invalid requests precede the valid one.
    const log = createMemoryEventLog(1, Date.now);
    const { ran } = await start({ log, websites: [website('a')] });
    await log.append('jobs', [{ key: 'a', value: Buffer.from('no avro') }]);
    await requestJob(log, { kind: 'constructor', websiteId: 'a' });
    await requestJob(log, { kind: 'fetch', websiteId: 'gone' });
    const { partition, offset } = await requestJob(log, { kind: 'fetch', websiteId: 'a' });
    await settle(2 * MINUTE_MS);
    expect(ran).toEqual(['a', 'a']);
    expect((await log.committed('jobs', JOBS_GROUP)).get(partition)?.offset).toBe(offset + 1);
  });
});
