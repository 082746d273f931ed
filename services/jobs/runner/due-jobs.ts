import type { JobWebsite, WebsiteJob } from '../website-job.js';
import type { LastRuns } from './last-runs.js';
import { nextRunAt } from './schedule.js';

export interface DueJob {
  /** Since when, milliseconds since the epoch. */
  readonly at: number;
  readonly website: JobWebsite;
  readonly job: WebsiteJob;
}

/** The first job of each website that is due, the longest due first. The website's other jobs come after it. */
export function findDueJobs(
  websites: readonly JobWebsite[],
  {
    jobs,
    lastRuns,
    now,
  }: { readonly jobs: readonly WebsiteJob[]; readonly lastRuns: LastRuns; readonly now: number },
): DueJob[] {
  return websites
    .flatMap((website) => {
      const dueAt = (job: WebsiteJob) => nextRunAt(job, website.id, lastRuns.of(website.id, job.name));
      const job = jobs.find((each) => dueAt(each) <= now);
      return job === undefined ? [] : [{ at: dueAt(job), website, job }];
    })
    .sort((one, other) => one.at - other.at);
}
