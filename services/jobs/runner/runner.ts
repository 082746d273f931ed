import type { Registry } from 'prom-client';
import type { JobRequest } from '../../../shared/jobs/job-request.js';
import { createActiveWebsites } from './active-websites.js';
import type { Assignment } from './assignments.js';
import { type BeginOptions, createBeginnings } from './begin-runs.js';
import { findDueJobs } from './due-jobs.js';
import { createDueQueue } from './due-queue.js';
import type { JobRun } from './job-runs.js';
import { createLastRuns } from './last-runs.js';
import { createPlaces } from './places.js';
import { createRun, ERASED, type RunOptions } from './run-and-record.js';
import { createJobMetrics } from './runner-metrics.js';
import { createWaitingRequests } from './waiting-requests.js';
import type { JobWebsite, WebsiteJob } from './website-job.js';

export interface RunnerOptions extends RunOptions, Pick<BeginOptions, 'jobs' | 'assignmentOf'> {
  readonly websites: () => Iterable<JobWebsite>;
  readonly registry: Registry;
}

export interface Runner {
  /** Adds runs of this and other replicas. An earlier run never replaces a later one. */
  addLastRuns(runs: Iterable<JobRun>): void;
  /** The last UTC day with requests of each active website; milliseconds since the epoch. */
  setActive(lastDays: ReadonlyMap<string, number>): void;
  /** Starts as many due runs as there are places. To be called every few seconds. */
  scan(): void;
  /**
   * Runs a requested job as soon as there is a place.
   * @param assignment of the partition with the request's record. @returns true after it ran (or cannot run), false if it was left to another replica
   */
  request(request: JobRequest, assignment: Assignment): Promise<boolean>;
  /** Ends the runs and forgets the requests of a partition. Resolves when the runs have ended. */
  leave(assignment: Assignment): Promise<void>;
}

/** Runs the jobs of the websites that this replica owns. */
export function createRunner(options: RunnerOptions): Runner {
  const { jobs, websiteOf, assignmentOf } = options;
  const { now } = options.deps;
  const active = createActiveWebsites(now);
  const isScheduled = (website: JobWebsite, job: WebsiteJob) =>
    active.isScheduled(website, job) && (job.isFor?.(website) ?? true);
  const lastRuns = createLastRuns(jobs, (websiteId, job) => {
    const website = websiteOf(websiteId);
    return website !== undefined && isScheduled(website, job);
  });
  const places = createPlaces(now);
  const requests = createWaitingRequests(now);
  const due = createDueQueue(places);
  let owned = 0;
  const metrics = createJobMetrics(options.registry, () => ({
    running: places.count(),
    waiting: due.count() + requests.count(),
    websites: owned,
  }));
  const run = createRun({ ...options, lastRuns, metrics });

  const { beginRequested, beginDue } = createBeginnings({
    ...options,
    lastRuns,
    places,
    run,
    onEnded: () => fill(),
  });

  /** Starts requested runs first, then due runs, while there are places. */
  function fill(): void {
    requests.removeWhere(beginRequested);
    due.fill(beginDue);
  }

  return {
    addLastRuns: lastRuns.add,
    setActive(lastDays) {
      active.set(lastDays);
      lastRuns.keepScheduled();
    },
    scan() {
      void places.end(({ website }) => websiteOf(website.id) === undefined, new Error(ERASED));
      const ours = [...options.websites()].filter(({ id }) => assignmentOf(id)?.isReady === true);
      owned = ours.length;
      due.set(findDueJobs(ours, { jobs, lastRuns, isIdle: places.isIdle, isScheduled, now: now() }));
      fill();
    },
    request(request, assignment) {
      const answered = requests.add(request, assignment);
      fill();
      return answered;
    },
    async leave(assignment) {
      requests.removeWhere((request) => {
        const isLeft = request.assignment === assignment;
        if (isLeft) request.answer(false);
        return isLeft;
      });
      await places.end(
        (one) => one.assignment === assignment,
        new Error('the website is left to another replica'),
      );
    },
  };
}
