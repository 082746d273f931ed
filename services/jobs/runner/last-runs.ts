import type { JobRun } from '../../../shared/queries/job-runs.js';

/** The last run of each job of each website, as far as known here. */
export interface LastRuns {
  of(websiteId: string, job: string): JobRun | null;
  /** A later run is not forgotten for an earlier one. */
  add(runs: Iterable<JobRun>): void;
}

/** Empty: `add` tells what there was. */
export function createLastRuns(): LastRuns {
  const runs = new Map<string, JobRun>();
  const keyOf = (websiteId: string, job: string) => `${websiteId} ${job}`;
  return {
    of: (websiteId, job) => runs.get(keyOf(websiteId, job)) ?? null,
    add(found) {
      for (const run of found) {
        const key = keyOf(run.websiteId, run.job);
        const known = runs.get(key);
        if (known === undefined || known.finishedAt < run.finishedAt) runs.set(key, run);
      }
    },
  };
}
