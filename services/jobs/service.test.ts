import pino from 'pino';
import { Registry } from 'prom-client';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { ClickHouse } from '../../shared/clickhouse/client.js';
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../shared/durations.js';
import { JOBS_GROUP } from '../../shared/event-log/consumer-groups.js';
import type { ConsumeOptions, EventLog } from '../../shared/event-log/event-log.js';
import { partitionOf } from '../../shared/event-log/partition-of.js';
import { demandJob } from '../../shared/jobs/job-demand.js';
import type { EndedJobRun, JobRun } from '../../shared/queries/job-runs.js';
import { createMemoryEventLog } from '../../test/harness/memory-event-log.js';
import { type JobsService, startJobs } from './service.js';
import type { JobWebsite, WebsiteJob } from './website-job.js';

const START = Date.UTC(2026, 10, 21, 9);

beforeEach(() => {
  vi.useFakeTimers({
    now: START,
    toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date'],
  });
});
const running: JobsService[] = [];
afterEach(async () => {
  await Promise.all(running.splice(0).map((service) => service.stop()));
  vi.useRealTimers();
});

const website = (id: string, organisationId = `org_${id}`): JobWebsite => {
  return { id, domain: `${id}.example.com`, organisationId };
};

interface World {
  readonly log?: EventLog;
  readonly websites: JobWebsite[];
  readonly jobs?: readonly WebsiteJob[];
  readonly stored?: JobRun[];
  readonly run?: (website: JobWebsite, signal: AbortSignal) => Promise<void>;
  readonly readRuns?: () => Promise<Iterable<JobRun>>;
  readonly remember?: (run: EndedJobRun) => Promise<void>;
}

/** The service with one job, `fetch`, each day; what ran and how it ended, in order. */
async function start(world: World) {
  const { log = createMemoryEventLog(2, Date.now), websites, stored = [] } = world;
  const ran: string[] = [];
  const ended: EndedJobRun[] = [];
  const fetchJob: WebsiteJob = {
    name: 'fetch',
    everyMs: DAY_MS,
    async run(each, { signal }) {
      ran.push(each.id);
      await world.run?.(each, signal);
    },
  };
  const service = await startJobs({
    log,
    jobs: world.jobs ?? [fetchJob],
    deps: {
      clickhouse: {} as ClickHouse,
      fetch: () => Promise.reject(new Error('no test fetches here')),
      now: Date.now,
      logger: pino({ level: 'silent' }),
    },
    websites: () => websites,
    websiteOf: (id) => websites.find((each) => each.id === id),
    readRuns: world.readRuns ?? (async () => [...stored]),
    remember:
      world.remember ??
      (async (run) => {
        ended.push(run);
        stored.push(run);
      }),
    logger: pino({ level: 'silent' }),
    registry: new Registry(),
    onCrash(error) {
      throw error;
    },
  });
  running.push(service);
  await settle();
  return { log, ran, ended, stored, service };
}

/** What is under way and waits for nothing comes to its end. */
async function settle(ms = 0): Promise<void> {
  await vi.advanceTimersByTimeAsync(ms);
  await vi.advanceTimersByTimeAsync(0);
}

describe('the schedule', () => {
  test('a website that was just made is served within a minute, and once', async () => {
    const websites: JobWebsite[] = [];
    const { ran } = await start({ websites });
    websites.push(website('new'));
    await settle(MINUTE_MS);
    expect(ran).toEqual(['new']);
  });

  test('a restart does not run again what ran', async () => {
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

  test('nothing begins before it is known what ran, and the service is not ready until then', async () => {
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
    expect(world.service.isReady()).toBe(false);
    away = false;
    await settle(MINUTE_MS);
    expect(world.ran).toEqual(['a']);
    expect(world.service.isReady()).toBe(true);
  });

  test('several jobs of a website run one after the other, in the order of the list', async () => {
    const order: string[] = [];
    const job = (name: string): WebsiteJob => ({
      name,
      everyMs: DAY_MS,
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
  test('a job that fails is tried again with growing waits, and holds nobody up', async () => {
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

  test('a job that had nothing to work on yet is tried again with growing waits, and daily once it had', async () => {
    const times: number[] = [];
    const { ended } = await start({
      websites: [website('new')],
      jobs: [
        {
          name: 'build',
          everyMs: DAY_MS,
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

  test('a run that never ends is given up, and the website gets its next turn', async () => {
    const { ended } = await start({ websites: [website('a')], run: () => new Promise(() => {}) });
    await settle(16 * MINUTE_MS);
    expect(ended).toMatchObject([{ outcome: 'timed_out', failures: 1 }]);
  });

  test('websites that hang hold up neither those of others nor more places than their organisation has', async () => {
    const slow = Array.from({ length: 50 }, (_, n) => website(`slow${n}`, 'one'));
    const { ran } = await start({
      websites: [...slow, website('quick')],
      run: ({ id }) => (id === 'quick' ? Promise.resolve() : new Promise(() => {})),
    });
    await settle(SECOND_MS);
    expect(ran).toContain('quick');
    expect(ran.filter((id) => id !== 'quick')).toHaveLength(4);
  });

  test('no more runs than there are places', async () => {
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

  test('an end that can not be stored is remembered by the process', async () => {
    const { ran } = await start({
      websites: [website('a')],
      remember: () => Promise.reject(new Error('store away')),
    });
    await settle(HOUR_MS);
    expect(ran).toEqual(['a']);
  });

  test('of a website that was erased meanwhile nothing is stored', async () => {
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
});

describe('demands', () => {
  test('a demand runs at once, whatever the schedule says, and is committed when it ran', async () => {
    const websites = [website('a')];
    const { log, ran } = await start({ websites });
    const { partition } = await demandJob(log, { kind: 'fetch', websiteId: 'a' });
    await settle();
    expect(ran).toEqual(['a', 'a']);
    expect((await log.committed('jobs', JOBS_GROUP)).get(partition)?.offset).toBe(1);
  });

  test('a demand that was under way when the service stopped comes again', async () => {
    const log = createMemoryEventLog(2, Date.now);
    const websites = [website('a')];
    const stored: JobRun[] = [
      { websiteId: 'a', job: 'fetch', startedAt: START, finishedAt: START, failures: 0 },
    ];
    await demandJob(log, { kind: 'fetch', websiteId: 'a' });
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

  test('demands that make no sense are passed over, and those behind them are carried out', async () => {
    const { log, ran } = await start({ websites: [website('a')] });
    await log.append('jobs', [{ key: 'a', value: Buffer.from('no avro') }]);
    await demandJob(log, { kind: 'constructor', websiteId: 'a' });
    await demandJob(log, { kind: 'fetch', websiteId: 'gone' });
    const { partition, offset } = await demandJob(log, { kind: 'fetch', websiteId: 'a' });
    await settle(2 * MINUTE_MS);
    expect(ran).toEqual(['a', 'a']);
    expect((await log.committed('jobs', JOBS_GROUP)).get(partition)?.offset).toBe(offset + 1);
  });
});

describe('ownership', () => {
  /** The log's group, played by hand. */
  function groupByHand(partitions: number) {
    const members: ConsumeOptions[] = [];
    const log = {
      ...createMemoryEventLog(partitions, Date.now),
      async consume(options: ConsumeOptions) {
        members.push(options);
        return { commit: async () => {}, stop: async () => {} };
      },
    } as EventLog;
    return { log, members };
  }

  const never = new AbortController().signal;
  const websites = Array.from({ length: 40 }, (_, n) => website(`w${n}`));
  const inPartition = (wanted: number) =>
    websites.filter(({ id }) => partitionOf(id, 2) === wanted).map(({ id }) => id);

  test('a replica runs the websites of its own partitions, and two replicas none twice', async () => {
    const { log, members } = groupByHand(2);
    const one = await start({ log, websites });
    const other = await start({ log, websites });
    await settle(MINUTE_MS);
    expect([...one.ran, ...other.ran]).toEqual([]);
    await members[0]!.onAssigned!(0, null, never);
    await members[1]!.onAssigned!(1, null, never);
    await settle(MINUTE_MS);
    expect(one.ran.toSorted()).toEqual(inPartition(0).toSorted());
    expect(other.ran.toSorted()).toEqual(inPartition(1).toSorted());
  });

  test('a partition that is taken away ends its runs, and its next owner runs them and no others', async () => {
    const { log, members } = groupByHand(2);
    const stored: JobRun[] = [];
    const hung = inPartition(0)[0]!;
    const stopped: string[] = [];
    const one = await start({
      log,
      websites,
      stored,
      run: ({ id }, signal) =>
        id !== hung
          ? Promise.resolve()
          : new Promise((_, reject) =>
              signal.addEventListener('abort', () => {
                stopped.push(id);
                reject(signal.reason);
              }),
            ),
    });
    await members[0]!.onAssigned!(0, null, never);
    await settle(MINUTE_MS);
    await members[0]!.onRevoked!(0);
    expect(stopped).toEqual([hung]);
    expect(stored.map(({ websiteId }) => websiteId)).not.toContain(hung);
    const other = await start({ log, websites, stored });
    await members[1]!.onAssigned!(0, null, never);
    await settle(MINUTE_MS);
    expect(other.ran).toEqual([hung]);
    const before = one.ran.length;
    await settle(3 * DAY_MS);
    expect(one.ran).toHaveLength(before);
  });

  test('a partition that was lost without a word ends its runs, too', async () => {
    const { log, members } = groupByHand(2);
    const lost = new AbortController();
    let ended = false;
    await start({
      log,
      websites: [website('w0')],
      run: (_, signal) =>
        new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => {
            ended = true;
            reject(signal.reason);
          });
        }),
    });
    await members[0]!.onAssigned!(partitionOf('w0', 2), null, lost.signal);
    await settle(MINUTE_MS);
    lost.abort();
    await settle();
    expect(ended).toBe(true);
  });
});
