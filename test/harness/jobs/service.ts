import pino from 'pino';
import { Registry } from 'prom-client';
import { afterEach, beforeEach, vi } from 'vitest';
import { type JobsService, startJobs } from '../../../services/jobs/jobs-service.js';
import type { EndedJobRun, JobRun } from '../../../services/jobs/runner/job-runs.js';
import type { JobDeps, JobWebsite, WebsiteJob } from '../../../services/jobs/runner/website-job.js';
import { DAY_MS } from '../../../shared/durations.js';
import type { EventLog } from '../../../shared/event-log/event-log.js';
import type { ClickHouse } from '../../../shared/store/client.js';
import { createMemoryEventLog } from '../memory-event-log.js';

/** The jobs service with a clock that only a test advances. */

export const START = Date.UTC(2026, 10, 21, 9);

const running: JobsService[] = [];

/** Each test file must call it. */
export function useStoppedClock(): void {
  beforeEach(() => {
    vi.useFakeTimers({
      now: START,
      toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date'],
    });
  });
  afterEach(async () => {
    await Promise.all(running.splice(0).map((service) => service.stop()));
    vi.useRealTimers();
  });
}

/** By default each website has its own organisation. */
export const website = (id: string, organisationId = `org_${id}`): JobWebsite => {
  const createdAt = new Date(START).toISOString();
  return { id, domain: `${id}.example.com`, organisationId, createdAt };
};

interface World {
  readonly log?: EventLog;
  readonly websites: JobWebsite[];
  readonly jobs?: readonly WebsiteJob[];
  readonly stored?: JobRun[];
  readonly run?: (website: JobWebsite, signal: AbortSignal, deps: JobDeps) => Promise<void>;
  /** The last day of logs of the websites that sent any; default: all, now. */
  readonly readActive?: () => Promise<ReadonlyMap<string, number>>;
  readonly readRuns?: () => Promise<Iterable<JobRun>>;
  readonly recordRun?: (run: EndedJobRun) => Promise<void>;
}

/** The service with one daily job, `fetch`. It records the runs, writes and results in order. */
export async function start(world: World) {
  const { log = createMemoryEventLog(2, Date.now), websites, stored = [] } = world;
  const ran: string[] = [];
  const ended: EndedJobRun[] = [];
  const written: string[] = [];
  const registry = new Registry();
  const fetchJob: WebsiteJob = {
    name: 'fetch',
    everyMs: DAY_MS,
    waitsFor: 'website',
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
      } as unknown as ClickHouse,
      fetch: () => Promise.reject(new Error('no test fetches here')),
      now: Date.now,
      logger: pino({ level: 'silent' }),
      planOf: () => ({ listedUrls: 1_000, hourlyApiLimit: 100 }),
    },
    websites: () => websites,
    websiteOf: (id) => websites.find((each) => each.id === id),
    readRuns: world.readRuns ?? (async () => [...stored]),
    readActive: world.readActive ?? (async () => new Map(websites.map(({ id }) => [id, Date.now()]))),
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

/** Finishes all running work that waits for nothing. */
export async function settle(ms = 0): Promise<void> {
  await vi.advanceTimersByTimeAsync(ms);
  await vi.advanceTimersByTimeAsync(0);
}
