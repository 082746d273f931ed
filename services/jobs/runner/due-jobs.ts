import type { LastRuns } from './last-runs.js';
import type { JobWebsite, WaitsFor, WebsiteJob } from './website-job.js';

export interface DueJob {
  /** When it became due, milliseconds since the epoch. */
  readonly at: number;
  readonly website: JobWebsite;
  readonly job: WebsiteJob;
}

const KINDS: readonly WaitsFor[] = ['website', 'store', 'model'];

/**
 * The first due job of each website and kind of wait, sorted by due time. The website's other jobs follow later.
 */
export function findDueJobs(
  websites: readonly JobWebsite[],
  {
    jobs,
    lastRuns,
    isIdle,
    isScheduled,
    now,
  }: {
    readonly jobs: readonly WebsiteJob[];
    readonly lastRuns: Pick<LastRuns, 'nextAt'>;
    /** Whether the job may start for the website (places.ts). */
    readonly isIdle: (websiteId: string, job: WebsiteJob) => boolean;
    /** Whether the schedule runs the job for the website. */
    readonly isScheduled: (website: JobWebsite, job: WebsiteJob) => boolean;
    readonly now: number;
  },
): DueJob[] {
  const kinds = KINDS.map((kind) => jobs.filter(({ waitsFor }) => waitsFor === kind));
  const due: DueJob[] = [];
  for (const website of websites) {
    for (const kind of kinds) {
      const job = kind.find(
        (each) => lastRuns.nextAt(website.id, each.name) <= now && isScheduled(website, each),
      );
      if (job !== undefined && isIdle(website.id, job))
        due.push({ at: lastRuns.nextAt(website.id, job.name), website, job });
    }
  }
  return due.sort((one, other) => one.at - other.at);
}
