import type { Registry } from 'prom-client';
import { MINUTE_MS } from '../../../shared/durations.js';
import type { JobDemand } from '../../../shared/jobs/job-demand.js';
import type { JobRun } from '../../../shared/queries/job-runs.js';
import type { JobWebsite, WebsiteJob } from '../website-job.js';
import { createLastRuns } from './last-runs.js';
import { createJobMetrics } from './metrics.js';
import { createRun, type RunOptions } from './run-and-remember.js';
import { nextRunAt } from './schedule.js';

/** Runs of all websites together, and of those of one organisation: websites that do not answer hold their places up to the time limit. */
const MOST_RUNNING = 16;
const MOST_RUNNING_PER_ORGANISATION = 4;
/** A demand may come before the website that it names: both travel by the log. */
const UNKNOWN_WEBSITE_MS = MINUTE_MS;

export interface RunnerOptions extends RunOptions {
  /** In the order in which they run where several are due: a later one may read what an earlier one stored. */
  readonly jobs: readonly WebsiteJob[];
  readonly websites: () => Iterable<JobWebsite>;
  /** Whether the website's jobs are run here. */
  readonly owns: (websiteId: string) => boolean;
  readonly registry: Registry;
  readonly mostRunning?: number;
}

export interface Runner {
  /** What ran before, here or elsewhere. A later run is not forgotten for an earlier one. */
  recall(runs: Iterable<JobRun>): void;
  /** Looks for what is due and begins as much as there are places for. To be called every few seconds. */
  scan(): void;
  /** Runs it as soon as there is a place. Resolves true when it ran (or can't), false when it was left to another. */
  demand(demand: JobDemand): Promise<boolean>;
  /** Ends the runs and forgets the demands of these websites. Resolves when they have ended. */
  leave(isLeft: (websiteId: string) => boolean): Promise<void>;
}

interface Demanded extends JobDemand {
  readonly since: number;
  readonly answer: (ran: boolean) => void;
}

interface Due {
  readonly at: number;
  readonly website: JobWebsite;
  readonly job: WebsiteJob;
}

interface Running {
  readonly organisationId: string;
  readonly leaving: AbortController;
  readonly ended: Promise<void>;
}

/** Runs the jobs of the websites that this replica owns. One job of a website at a time. */
export function createRunner(options: RunnerOptions): Runner {
  const { jobs, websiteOf, owns, logger, mostRunning = MOST_RUNNING } = options;
  const { now } = options.deps;
  const lastRuns = createLastRuns();
  const running = new Map<string, Running>();
  let demands: Demanded[] = [];
  /** Of the last scan, the longest due first. */
  let due: Due[] = [];
  let owned = 0;
  const metrics = createJobMetrics(options.registry, () => ({
    running: running.size,
    waiting: due.length + demands.length,
    websites: owned,
  }));
  const run = createRun({ ...options, lastRuns, metrics });

  function hasPlace({ id, organisationId }: JobWebsite): boolean {
    if (running.has(id)) return false;
    let ofOrganisation = 0;
    for (const each of running.values()) if (each.organisationId === organisationId) ofOrganisation += 1;
    return ofOrganisation < MOST_RUNNING_PER_ORGANISATION;
  }

  function begin(website: JobWebsite, job: WebsiteJob, answers: readonly Demanded[]): void {
    const leaving = new AbortController();
    const ended = run(website, job, leaving.signal).then((ran) => {
      running.delete(website.id);
      for (const { answer } of answers) answer(ran);
      fill();
    });
    running.set(website.id, { organisationId: website.organisationId, leaving, ended });
  }

  /** Begins what was demanded, then what is due, while there are places. */
  function fill(): void {
    demands = demands.filter((demanded) => {
      const website = websiteOf(demanded.websiteId);
      const job = jobs.find(({ name }) => name === demanded.kind);
      if (website === undefined || job === undefined) {
        const waits = job !== undefined && now() - demanded.since < UNKNOWN_WEBSITE_MS;
        if (waits) return true;
        const { kind, websiteId } = demanded;
        logger.warn({ kind, website_id: websiteId }, 'a demand for a job or website that is not known');
        demanded.answer(true);
        return false;
      }
      if (running.size >= mostRunning || !owns(website.id) || !hasPlace(website)) return true;
      begin(website, job, [demanded]);
      return false;
    });
    due = due.filter(({ website, job }) => {
      if (running.size >= mostRunning) return true;
      if (!owns(website.id) || websiteOf(website.id) === undefined) return false;
      // A demand may have run it since it was looked at.
      if (nextRunAt(job, website.id, lastRuns.of(website.id, job.name)) > now()) return false;
      if (!hasPlace(website)) return true;
      begin(website, job, []);
      return false;
    });
  }

  return {
    recall: lastRuns.add,
    scan() {
      const found: Due[] = [];
      owned = 0;
      for (const website of options.websites()) {
        if (!owns(website.id)) continue;
        owned += 1;
        if (running.has(website.id)) continue;
        // Its other jobs come at the next scan, after this one.
        for (const job of jobs) {
          const at = nextRunAt(job, website.id, lastRuns.of(website.id, job.name));
          if (at > now()) continue;
          found.push({ at, website, job });
          break;
        }
      }
      due = found.sort((one, other) => one.at - other.at);
      fill();
    },
    demand(demand) {
      return new Promise((answer) => {
        demands.push({ ...demand, since: now(), answer });
        fill();
      });
    },
    async leave(isLeft) {
      for (const demanded of demands) if (isLeft(demanded.websiteId)) demanded.answer(false);
      demands = demands.filter(({ websiteId }) => !isLeft(websiteId));
      due = due.filter(({ website }) => !isLeft(website.id));
      const ending = [...running].filter(([websiteId]) => isLeft(websiteId)).map(([, each]) => each);
      for (const { leaving } of ending) leaving.abort(new Error('the website is left to another replica'));
      await Promise.all(ending.map(({ ended }) => ended));
    },
  };
}
