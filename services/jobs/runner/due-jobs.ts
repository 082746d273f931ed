import type { JobWebsite, WebsiteJob } from '../website-job.js';
import type { LastRuns } from './last-runs.js';
import { nextRunAt } from './schedule.js';

export interface DueJob {
  /** Since when, milliseconds since the epoch. */
  readonly at: number;
  readonly website: JobWebsite;
  readonly job: WebsiteJob;
}

/**
 * Of each website the first job that is due among those that fetch, and among those that don't, the longest due first. The website's other jobs come
 * after them.
 */
export function findDueJobs(
  websites: readonly JobWebsite[],
  {
    jobs,
    lastRuns,
    isFetched,
    now,
  }: {
    readonly jobs: readonly WebsiteJob[];
    readonly lastRuns: LastRuns;
    /** Whether jobs that fetch are due for it at all. */
    readonly isFetched: (website: JobWebsite) => boolean;
    readonly now: number;
  },
): DueJob[] {
  const kinds = [jobs.filter(({ fetches }) => fetches), jobs.filter(({ fetches }) => !fetches)];
  return websites
    .flatMap((website) => {
      const dueAt = (job: WebsiteJob) => nextRunAt(job, website.id, lastRuns.of(website.id, job.name));
      return kinds.flatMap((kind) => {
        const job = kind.find((each) => (each.isFor?.(website) ?? true) && dueAt(each) <= now);
        return job === undefined || (job.fetches && !isFetched(website))
          ? []
          : [{ at: dueAt(job), website, job }];
      });
    })
    .sort((one, other) => one.at - other.at);
}
