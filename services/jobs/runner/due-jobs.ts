import type { JobWebsite, WaitsFor, WebsiteJob } from '../website-job.js';
import type { LastRuns } from './last-runs.js';
import { nextRunAt } from './schedule.js';

export interface DueJob {
  /** Since when, milliseconds since the epoch. */
  readonly at: number;
  readonly website: JobWebsite;
  readonly job: WebsiteJob;
}

const KINDS: readonly WaitsFor[] = ['website', 'store', 'model'];

/**
 * Of each website the first job that is due among those that wait for the same, the longest due first. The website's other jobs come
 * after them.
 */
export function findDueJobs(
  websites: readonly JobWebsite[],
  {
    jobs,
    lastRuns,
    isIdle,
    isFetched,
    now,
  }: {
    readonly jobs: readonly WebsiteJob[];
    readonly lastRuns: LastRuns;
    /** Whether the job could begin for the website (places.ts). */
    readonly isIdle: (websiteId: string, job: WebsiteJob) => boolean;
    /** Whether jobs are due for it that wait for the website, or for the model. */
    readonly isFetched: (website: JobWebsite) => boolean;
    readonly now: number;
  },
): DueJob[] {
  const kinds = KINDS.map((kind) => jobs.filter(({ waitsFor }) => waitsFor === kind));
  return websites
    .flatMap((website) => {
      const dueAt = (job: WebsiteJob) => nextRunAt(job, website.id, lastRuns.of(website.id, job.name));
      return kinds.flatMap((kind) => {
        const job = kind.find((each) => (each.isFor?.(website) ?? true) && dueAt(each) <= now);
        if (job === undefined || !isIdle(website.id, job)) return [];
        return job.waitsFor === 'store' || isFetched(website) ? [{ at: dueAt(job), website, job }] : [];
      });
    })
    .sort((one, other) => one.at - other.at);
}
