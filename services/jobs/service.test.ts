import pino from 'pino';
import { Registry } from 'prom-client';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { ClickHouse } from '../../shared/clickhouse/client.js';
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../shared/durations.js';
import { JOBS_GROUP } from '../../shared/event-log/consumer-groups.js';
import type { ConsumeOptions, EventLog } from '../../shared/event-log/event-log.js';
import { partitionOf } from '../../shared/event-log/partition-of.js';
import { requestJob } from '../../shared/jobs/job-request.js';
import type { EndedJobRun, JobRun } from '../../shared/queries/job-runs.js';
import { createMemoryEventLog } from '../../test/harness/memory-event-log.js';
import { type JobsService, startJobs } from './service.js';
import type { JobDeps, JobWebsite, WebsiteJob } from './website-job.js';

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
  readonly run?: (website: JobWebsite, signal: AbortSignal, deps: JobDeps) => Promise<void>;
  readonly readRuns?: () => Promise<Iterable<JobRun>>;
  readonly recordRun?: (run: EndedJobRun) => Promise<void>;
}

/** The service with one job, `fetch`, each day; what ran, what was written and how it ended, in order. */
async function start(world: World) {
  const { log = createMemoryEventLog(2, Date.now), websites, stored = [] } = world;
  const ran: string[] = [];
  const ended: EndedJobRun[] = [];
  const written: string[] = [];
  const registry = new Registry();
  const fetchJob: WebsiteJob = {
    name: 'fetch',
    everyMs: DAY_MS,
    async run(each, deps) {
      ran.push(each.id);
      await world.run?.(each, deps.signal, deps);
    },
  };
  const service = await startJobs({
    log,
    jobs: world.jobs ?? [fetchJob],
    deps: {
      clickhouse: {
        insert: async ({ table }: { table: string }) => void written.push(table),
        command: async (sql: string) => void written.push(sql),
      } as ClickHouse,
      fetch: () => Promise.reject(new Error('no test fetches here')),
      now: Date.now,
      logger: pino({ level: 'silent' }),
    },
    websites: () => websites,
    websiteOf: (id) => websites.find((each) => each.id === id),
    readRuns: world.readRuns ?? (async () => [...stored]),
    recordRun:
      world.recordRun ??
      (async (run) => {
        ended.push(run);
        stored.push(run);
      }),
    logger: pino({ level: 'silent' }),
    registry,
    onCrash(error) {
      throw error;
    },
  });
  running.push(service);
  await settle();
  /** The value of a gauge. */
  const gauge = async (name: string) => (await registry.getSingleMetric(name)!.get()).values[0]!.value;
  return { log, ran, ended, stored, written, service, gauge };
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

  test('an end that can not be stored is known to the process', async () => {
    const { ran } = await start({
      websites: [website('a')],
      recordRun: () => Promise.reject(new Error('store away')),
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

  test('a run that was given up begins no further write', async () => {
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
  test('a request runs at once, whatever the schedule says, and is committed when it ran', async () => {
    const websites = [website('a')];
    const { log, ran } = await start({ websites });
    const { partition } = await requestJob(log, { kind: 'fetch', websiteId: 'a' });
    await settle();
    expect(ran).toEqual(['a', 'a']);
    expect((await log.committed('jobs', JOBS_GROUP)).get(partition)?.offset).toBe(1);
  });

  test('a request that was under way when the service stopped comes again', async () => {
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

  test('requests for what waits already are answered by one run, and all of them are committed', async () => {
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

  test('requests that make no sense are passed over, and those behind them are carried out', async () => {
    // One partition: those that are passed over stand before the one that is carried out.
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

describe('ownership', () => {
  /** The log's group, played by hand. */
  function groupByHand(partitions: number) {
    const members: ConsumeOptions[] = [];
    const commits: [partition: number, offset: number][] = [];
    const memory = createMemoryEventLog(partitions, Date.now);
    let count = partitions;
    const log = {
      ...memory,
      offsets: async () => new Map(Array.from({ length: count }, (_, n) => [n, { oldest: 0, next: 0 }])),
      async consume(options: ConsumeOptions) {
        members.push(options);
        return {
          commit: async (partition, { offset }) => void commits.push([partition, offset]),
          stop: async () => {},
        };
      },
    } as EventLog;
    const setPartitions = (wanted: number) => {
      count = wanted;
    };
    return { log, members, commits, setPartitions, records: () => memory.records('jobs') };
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

  /** A website that was in one partition of two, and is in another one of three. */
  const moved = (from: number, to: number) =>
    website(
      Array.from({ length: 100 }, (_, n) => `m${n}`).find(
        (id) => partitionOf(id, 2) === from && partitionOf(id, 3) === to,
      )!,
    );
  const runOf = ({ id }: JobWebsite, at = START): JobRun => {
    return { websiteId: id, job: 'fetch', startedAt: at, finishedAt: at, failures: 0 };
  };

  test('a request is carried out by the owner of its record, also where the website has another one since', async () => {
    const { log, members, commits, setPartitions, records } = groupByHand(2);
    const one = moved(0, 2);
    const { ran } = await start({ log, websites: [one], stored: [runOf(one)] });
    await members[0]!.onAssigned!(0, null, never);
    setPartitions(3);
    await settle(2 * MINUTE_MS);
    await requestJob(log, { kind: 'fetch', websiteId: one.id });
    await members[0]!.onRecords(0, records());
    await settle();
    expect(ran).toEqual([one.id]);
    expect(commits).toEqual([[0, 1]]);
  });

  test('a request ends with the partition of its record, under way or waiting, and is not committed', async () => {
    const { log, members, commits, setPartitions, records } = groupByHand(2);
    const one = moved(0, 2);
    let ended = 0;
    const { ran, gauge } = await start({
      log,
      websites: [one],
      stored: [runOf(one)],
      run: (_, signal) =>
        new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => {
            ended += 1;
            reject(signal.reason);
          });
        }),
    });
    await members[0]!.onAssigned!(0, null, never);
    setPartitions(3);
    await settle(2 * MINUTE_MS);
    for (let n = 0; n < 2; n++) await requestJob(log, { kind: 'fetch', websiteId: one.id });
    await members[0]!.onRecords(0, records());
    await settle();
    expect([ran, await gauge('loglane_jobs_waiting')]).toEqual([[one.id], 1]);
    await members[0]!.onRevoked!(0);
    expect([ended, await gauge('loglane_jobs_waiting')]).toEqual([1, 0]);
    expect(commits).toEqual([]);
  });

  test('what ran elsewhere is known before a website is taken over because partitions were added', async () => {
    const { log, members, setPartitions } = groupByHand(2);
    const one = moved(0, 1);
    const stored: JobRun[] = [];
    const { ran } = await start({ log, websites: [one], stored });
    await members[0]!.onAssigned!(1, null, never);
    await settle();
    stored.push(runOf(one));
    setPartitions(3);
    await settle(2 * MINUTE_MS);
    expect(ran).toEqual([]);
    await settle(2 * DAY_MS);
    expect(ran).toContain(one.id);
  });

  test('what ran before is read twice at most, however many partitions come at once', async () => {
    const { log, members } = groupByHand(24);
    let reads = 0;
    const { service } = await start({
      log,
      websites: [],
      async readRuns() {
        reads += 1;
        await new Promise((resolve) => setTimeout(resolve, SECOND_MS));
        return [];
      },
    });
    for (let partition = 0; partition < 24; partition++)
      await members[0]!.onAssigned!(partition, null, never);
    expect(service.isReady()).toBe(false);
    await settle(10 * SECOND_MS);
    expect(service.isReady()).toBe(true);
    expect(reads).toBeLessThanOrEqual(2);
  });
});
