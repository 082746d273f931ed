import type { JobRun } from './job-runs.js';
import { nextRunAt } from './schedule.js';
import type { JobWebsite, WebsiteJob } from './website-job.js';

/** The known last run of each job of each website, as the schedule needs it. */
export interface LastRuns {
  /** When the job is due next, milliseconds since the epoch; 0: it never ran. */
  nextAt(websiteId: string, job: string): number;
  /** Consecutive runs that were not done. */
  failures(websiteId: string, job: string): number;
  /** An earlier run never replaces a later one. Runs of removed jobs are ignored. */
  add(runs: Iterable<JobRun>): void;
  /** Forgets runs that are not scheduled. They are due at once when they are scheduled again. */
  keepScheduled(): void;
}

interface Last {
  readonly finishedAt: number;
  readonly failures: number;
  readonly nextAt: number;
}

/** @param isScheduled whether the schedule runs the job for the website; false if the website is unknown */
export function createLastRuns(
  jobs: readonly WebsiteJob[],
  isScheduled: (websiteId: JobWebsite['id'], job: WebsiteJob) => boolean,
): LastRuns {
  /** By job and website, so a website without runs takes no memory. */
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
