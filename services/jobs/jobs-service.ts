import type { Registry } from 'prom-client';
import { MINUTE_MS, SECOND_MS } from '../../shared/durations.js';
import { JOBS_GROUP } from '../../shared/event-log/consumer-groups.js';
import { type Consumer, type EventLog, StaleAssignmentError } from '../../shared/event-log/event-log.js';
import type { Logger } from '../../shared/logging/log.js';
import { pause } from '../../shared/pacing/pause.js';
import type { NotReady } from '../../shared/service/readiness.js';
import { type Assignment, type Assignments, createAssignments } from './runner/assignments.js';
import type { JobRun } from './runner/job-runs.js';
import { createRunner, type RunnerOptions } from './runner/runner.js';
import { shareNext } from './runner/share-next.js';
import { createRequestTaker } from './runner/take-requests.js';

const TOPIC = 'jobs';
/** A new website is found within it. */
const SCAN_MS = 10 * SECOND_MS;
/** The operator may add partitions. */
const PARTITIONS_MS = MINUTE_MS;
/** A website that begins or resumes sending logs is found within it. */
const ACTIVE_MS = 5 * MINUTE_MS;
const RETRY_MS = 5 * SECOND_MS;

export interface JobsDependencies extends Omit<RunnerOptions, 'assignmentOf'> {
  readonly log: EventLog;
  /** All stored last runs, of all websites. */
  readonly readRuns: () => Promise<Iterable<JobRun>>;
  /** The last UTC day with requests of each active website; milliseconds since the epoch. */
  readonly readActive: () => Promise<ReadonlyMap<string, number>>;
  readonly logger: Logger;
  readonly registry: Registry;
  onCrash(error: Error): void;
}

export interface JobsService {
  /** Not ready while the earlier runs of an owned partition are unknown. */
  notReady(): NotReady;
  /** Whether this replica owns the first partition: it does the work of the whole installation. */
  leads(): boolean;
  /** The assignment of the website's partition; undefined: another replica owns it. */
  assignmentOf(websiteId: string): Assignment | undefined;
  /** Ends the running jobs, which their next owner begins again, and leaves the consumer group. */
  stop(): Promise<void>;
}

/**
 * Runs the jobs of the websites whose ids fall into the partitions of `jobs` that this replica owns. The consumer group gives each
 * partition, and so each website, one owner among any number of replicas.
 */
export async function startJobs(deps: JobsDependencies): Promise<JobsService> {
  const { log, logger } = deps;
  const assignments = createAssignments((await log.offsets(TOPIC)).size);
  const runner = createRunner({ ...deps, assignmentOf: assignments.ofWebsite });
  const loadActive = async () => runner.setActive(await deps.readActive());
  const loadLastRuns = shareNext(async () => {
    runner.addLastRuns(await deps.readRuns());
    await loadActive();
  });
  const takers = new WeakMap<Assignment, ReturnType<typeof createRequestTaker>>();

  async function leave(assignment: Assignment | undefined): Promise<void> {
    if (assignment !== undefined && assignments.remove(assignment)) await runner.leave(assignment);
  }

  async function commit(partition: number, offset: number): Promise<void> {
    try {
      await (await consuming).commit(partition, { offset, metadata: '' });
    } catch (error) {
      // The next commit includes this one. Without any, the request is carried out once more.
      if (!(error instanceof StaleAssignmentError))
        logger.warn({ err: error, partition }, 'request not committed');
    }
  }

  const consuming: Promise<Consumer> = log.consume({
    topic: TOPIC,
    group: JOBS_GROUP,
    async onAssigned(partition, _committed, lost) {
      const assignment = assignments.add(partition);
      takers.set(assignment, createRequestTaker(assignment, { runner, commit, logger }));
      lost.addEventListener('abort', () => void leave(assignment), { once: true });
      void makeReady(assignment, { loadLastRuns, onReady: runner.scan, logger });
    },
    onRevoked: (partition) => leave(assignments.of(partition)),
    async onRecords(partition, records) {
      const assignment = assignments.of(partition);
      if (assignment !== undefined) takers.get(assignment)?.(records);
    },
    onCrash: deps.onCrash,
  });
  const consumer = await consuming;

  const scanning = setInterval(() => runner.scan(), SCAN_MS);
  const counting = setInterval(() => {
    followPartitions(log, assignments, loadLastRuns).catch((error: unknown) =>
      logger.warn({ err: error }, 'the partitions of jobs cannot be counted'),
    );
  }, PARTITIONS_MS);
  const activity = setInterval(() => {
    loadActive().catch((error: unknown) =>
      logger.warn({ err: error }, 'the websites with logs cannot be read'),
    );
  }, ACTIVE_MS);
  return {
    leads: () => assignments.of(0)?.isReady === true,
    assignmentOf: assignments.ofWebsite,
    notReady: () =>
      assignments.all().every(({ isReady }) => isReady)
        ? null
        : 'the earlier runs of jobs are not read from ClickHouse',
    async stop() {
      clearInterval(scanning);
      clearInterval(counting);
      clearInterval(activity);
      await Promise.all(assignments.all().map(leave));
      await consumer.stop();
    },
  };
}

/** Reads the earlier runs, and retries until they are known or the partition is left. */
async function makeReady(
  assignment: Assignment,
  {
    loadLastRuns,
    onReady,
    logger,
  }: { loadLastRuns: () => Promise<void>; onReady: () => void; logger: Logger },
): Promise<void> {
  const left = assignment.leaving.signal;
  while (!left.aborted) {
    try {
      await loadLastRuns();
      assignment.isReady = !left.aborted;
      onReady();
      return;
    } catch (error) {
      logger.warn({ err: error }, 'the earlier runs cannot be read yet');
      await pause(RETRY_MS, left);
    }
  }
}

/** Websites change partitions when the operator adds some. Runs of other replicas must be known before their websites are taken over. */
async function followPartitions(
  log: EventLog,
  assignments: Assignments,
  loadLastRuns: () => Promise<void>,
): Promise<void> {
  const { size } = await log.offsets(TOPIC);
  if (size === assignments.count()) return;
  await loadLastRuns();
  assignments.setCount(size);
}
