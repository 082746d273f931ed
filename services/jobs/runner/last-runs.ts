import type { JobRun } from './job-runs.js';
import { nextRunAt } from './schedule.js';
import type { JobWebsite, WebsiteJob } from './website-job.js';

/** What the schedule needs of the last run of each job of each website, as far as known here. */
export interface LastRuns {
  /** When the job is due next, milliseconds since the epoch; 0: it never ran. */
  nextAt(websiteId: string, job: string): number;
  /** Runs in a row that were not done. */
  failures(websiteId: string, job: string): number;
  /** A later run is not forgotten for an earlier one. Runs of jobs that are no more are not kept. */
  add(runs: Iterable<JobRun>): void;
  /** Forgets the runs of what is not scheduled: once it is, it is due at once. */
  keepScheduled(): void;
}

interface Last {
  readonly finishedAt: number;
  readonly failures: number;
  readonly nextAt: number;
}

/** @param isScheduled whether the schedule runs the job for the website; false where there is no such website. */
export function createLastRuns(
  jobs: readonly WebsiteJob[],
  isScheduled: (websiteId: JobWebsite['id'], job: WebsiteJob) => boolean,
): LastRuns {
  /** By job and website: a website that has none takes nothing. */
  const runs = new Map(jobs.map((job) => [job.name, { job, of: new Map<string, Last>() }]));
  const last = (websiteId: string, job: string) => runs.get(job)?.of.get(websiteId);
  return {
    nextAt: (websiteId, job) => last(websiteId, job)?.nextAt ?? 0,
    failures: (websiteId, job) => last(websiteId, job)?.failures ?? 0,
    add(found) {
      for (const run of found) {
        const own = runs.get(run.job);
        if (own === undefined) continue;
        const { websiteId, finishedAt, failures } = run;
        if ((own.of.get(websiteId)?.finishedAt ?? Number.NEGATIVE_INFINITY) >= finishedAt) continue;
        own.of.set(websiteId, { finishedAt, failures, nextAt: nextRunAt(own.job, websiteId, run) });
      }
    },
    keepScheduled() {
      for (const { job, of } of runs.values())
        for (const websiteId of of.keys()) if (!isScheduled(websiteId, job)) of.delete(websiteId);
    },
  };
}
