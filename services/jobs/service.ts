import type { Registry } from 'prom-client';
import { MINUTE_MS, SECOND_MS } from '../../shared/durations.js';
import { JOBS_GROUP } from '../../shared/event-log/consumer-groups.js';
import {
  type Commit,
  type Consumer,
  type EventLog,
  type LogRecord,
  StaleAssignmentError,
} from '../../shared/event-log/event-log.js';
import { partitionOf } from '../../shared/event-log/partition-of.js';
import { decodeJobDemand } from '../../shared/jobs/job-demand.js';
import type { Logger } from '../../shared/log.js';
import type { JobRun } from '../../shared/queries/job-runs.js';
import { createDoneRecords, type DoneRecords } from './runner/commit-done.js';
import { createRunner, type RunnerOptions } from './runner/runner.js';

const TOPIC = 'jobs';
/** A new website is seen within it. */
const SCAN_MS = 10 * SECOND_MS;
/** The operator may add partitions. */
const PARTITIONS_MS = MINUTE_MS;
const RETRY_MS = 5 * SECOND_MS;

export interface JobsDependencies extends Omit<RunnerOptions, 'owns'> {
  readonly log: EventLog;
  /** Every last run that is stored, of whatever website. */
  readonly readRuns: () => Promise<Iterable<JobRun>>;
  readonly logger: Logger;
  readonly registry: Registry;
  onCrash(error: Error): void;
}

export interface JobsService {
  /** Whether it knows what ran before in every partition that it has. */
  isReady(): boolean;
  /** Ends the runs under way, which their next owner begins again, and leaves the group. */
  stop(): Promise<void>;
}

interface Owned {
  /** What ran before is known: until then nothing is begun, since all would seem to be due. */
  recalled: boolean;
  readonly left: AbortController;
  readonly done: DoneRecords;
}

/**
 * Runs the jobs of the websites whose ids fall into the partitions of `jobs` that this replica owns: the consumer group gives each
 * partition, and so each website, one owner over any number of replicas.
 */
export async function startJobs(deps: JobsDependencies): Promise<JobsService> {
  const { log, logger } = deps;
  const owned = new Map<number, Owned>();
  let partitions = (await log.offsets(TOPIC)).size;
  const partitionOfWebsite = (websiteId: string) => partitionOf(websiteId, partitions);
  const runner = createRunner({
    ...deps,
    owns: (websiteId) => owned.get(partitionOfWebsite(websiteId))?.recalled === true,
  });

  async function recall(own: Owned): Promise<void> {
    while (!own.left.signal.aborted) {
      try {
        runner.recall(await deps.readRuns());
        own.recalled = !own.left.signal.aborted;
        runner.scan();
        return;
      } catch (error) {
        logger.warn({ err: error }, 'what ran before can not be read yet');
        await pause(RETRY_MS, own.left.signal);
      }
    }
  }

  async function leave(partition: number, own = owned.get(partition)): Promise<void> {
    // It may have come back meanwhile.
    if (own === undefined || owned.get(partition) !== own) return;
    own.left.abort();
    owned.delete(partition);
    await runner.leave((websiteId) => partitionOfWebsite(websiteId) === partition);
  }

  async function commit(partition: number, { done }: Owned, offset: number): Promise<void> {
    const one: Commit = { offset: done.end(offset), metadata: '' };
    try {
      await (await consuming).commit(partition, one);
    } catch (error) {
      // The next commit says this one, too; without any the demand is carried out once more.
      if (!(error instanceof StaleAssignmentError))
        logger.warn({ err: error, partition }, 'demand not committed');
    }
  }

  function take(partition: number, own: Owned, { offset, value }: LogRecord): void {
    own.done.begin(offset);
    carryOut(value).then((ran) => (ran ? commit(partition, own, offset) : undefined));
  }

  async function carryOut(value: Buffer): Promise<boolean> {
    try {
      return await runner.demand(decodeJobDemand(value));
    } catch (error) {
      logger.warn({ err: error }, 'a demand that can not be read');
      return true;
    }
  }

  const consuming: Promise<Consumer> = log.consume({
    topic: TOPIC,
    group: JOBS_GROUP,
    async onAssigned(partition, _committed, lost) {
      const own: Owned = { recalled: false, left: new AbortController(), done: createDoneRecords() };
      owned.set(partition, own);
      lost.addEventListener('abort', () => void leave(partition, own), { once: true });
      void recall(own);
    },
    onRevoked: (partition) => leave(partition),
    async onRecords(partition, records) {
      const own = owned.get(partition);
      if (own !== undefined) for (const record of records) take(partition, own, record);
    },
    onCrash: deps.onCrash,
  });
  const consumer = await consuming;

  const scanning = setInterval(() => runner.scan(), SCAN_MS);
  const counting = setInterval(() => {
    log.offsets(TOPIC).then(
      ({ size }) => {
        partitions = size;
      },
      (error: unknown) => logger.warn({ err: error }, 'the partitions of jobs can not be counted'),
    );
  }, PARTITIONS_MS);
  return {
    isReady: () => [...owned.values()].every(({ recalled }) => recalled),
    async stop() {
      clearInterval(scanning);
      clearInterval(counting);
      await Promise.all([...owned.keys()].map((partition) => leave(partition)));
      await consumer.stop();
    },
  };
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    signal.addEventListener('abort', end);
  });
}
