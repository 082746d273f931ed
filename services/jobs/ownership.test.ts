import { describe, expect, test } from 'vitest';
import { DAY_MS, MINUTE_MS, SECOND_MS } from '../../shared/durations.js';
import type { ConsumeOptions, EventLog } from '../../shared/event-log/event-log.js';
import { partitionOf } from '../../shared/event-log/partition-of.js';
import { requestJob } from '../../shared/jobs/job-request.js';
import { START, settle, start, useStoppedClock, website } from '../../test/harness/jobs/service.js';
import { createMemoryEventLog } from '../../test/harness/memory-event-log.js';
import type { JobRun } from './runner/job-runs.js';
import type { JobWebsite } from './runner/website-job.js';

useStoppedClock();

describe('ownership', () => {
  /** A consumer group that the test controls. */
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

  test('a replica runs the websites of its own partitions, and two replicas run none twice', async () => {
    const { log, members } = groupByHand(2);
    const one = await start({ log, websites });
    const other = await start({ log, websites });
    await settle(MINUTE_MS);
    expect([...one.ran, ...other.ran]).toEqual([]);
    await members[0]!.onAssigned!(0, null, never, 2);
    await members[1]!.onAssigned!(1, null, never, 2);
    await settle(MINUTE_MS);
    expect(one.ran.toSorted()).toEqual(inPartition(0).toSorted());
    expect(other.ran.toSorted()).toEqual(inPartition(1).toSorted());
  });

  test('a revoked partition ends its runs, and its next owner runs these and no others', async () => {
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
    await members[0]!.onAssigned!(0, null, never, 2);
    await settle(MINUTE_MS);
    await members[0]!.onRevoked!(0);
    expect(stopped).toEqual([hung]);
    expect(stored.map(({ websiteId }) => websiteId)).not.toContain(hung);
    const other = await start({ log, websites, stored });
    await members[1]!.onAssigned!(0, null, never, 2);
    await settle(MINUTE_MS);
    expect(other.ran).toEqual([hung]);
    const before = one.ran.length;
    await settle(3 * DAY_MS);
    expect(one.ran).toHaveLength(before);
  });

  test('a partition that was lost without a revocation ends its runs too', async () => {
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
    await members[0]!.onAssigned!(partitionOf('w0', 2), null, lost.signal, 2);
    await settle(MINUTE_MS);
    lost.abort();
    await settle();
    expect(ended).toBe(true);
  });

  /** A website that is in one partition of two, and in another one of three. */
  const moved = (from: number, to: number) =>
    website(
      Array.from({ length: 100 }, (_, n) => `m${n}`).find(
        (id) => partitionOf(id, 2) === from && partitionOf(id, 3) === to,
      )!,
    );
  const runOf = ({ id }: JobWebsite, at = START): JobRun => {
    return { websiteId: id, job: 'fetch', startedAt: at, finishedAt: at, failures: 0 };
  };

  test('a request is carried out by the owner of its record, even if another replica owns the website since', async () => {
    const { log, members, commits, setPartitions, records } = groupByHand(2);
    const one = moved(0, 2);
    const { ran } = await start({ log, websites: [one], stored: [runOf(one)] });
    await members[0]!.onAssigned!(0, null, never, 2);
    setPartitions(3);
    await settle(2 * MINUTE_MS);
    await requestJob(log, { kind: 'fetch', websiteId: one.id });
    await members[0]!.onRecords(0, records());
    await settle();
    expect(ran).toEqual([one.id]);
    expect(commits).toEqual([[0, 1]]);
  });

  test('a request ends with the partition of its record, running or waiting, and is not committed', async () => {
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
    await members[0]!.onAssigned!(0, null, never, 2);
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

  test('runs of other replicas are known before added partitions move their websites', async () => {
    const { log, members, setPartitions } = groupByHand(2);
    const one = moved(0, 1);
    const stored: JobRun[] = [];
    const { ran } = await start({ log, websites: [one], stored });
    await members[0]!.onAssigned!(1, null, never, 2);
    await settle();
    stored.push(runOf(one));
    setPartitions(3);
    await settle(2 * MINUTE_MS);
    expect(ran).toEqual([]);
    await settle(2 * DAY_MS);
    expect(ran).toContain(one.id);
  });

  test('the earlier runs are read at most twice, for any number of partitions at once', async () => {
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
      await members[0]!.onAssigned!(partition, null, never, 2);
    expect(service.notReady()).toMatch(/ClickHouse/);
    await settle(10 * SECOND_MS);
    expect(service.notReady()).toBeNull();
    expect(reads).toBeLessThanOrEqual(2);
  });
});
