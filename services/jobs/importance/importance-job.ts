import { HOUR_MS } from '../../../shared/durations.js';
import { DAILY_BUILD } from '../../../shared/jobs/job-request.js';
import { isOfDay } from '../../../shared/queries/counted-days.js';
import { readImportanceBuild } from '../../../shared/queries/page-importance.js';
import { type BuildStore, writeDailyBuild } from '../../../shared/queries/write-daily-build.js';
import type { JobResult } from '../website-job.js';

interface ImportanceDeps {
  readonly clickhouse: BuildStore;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Fires when nothing more is to be written. */
  readonly signal?: AbortSignal;
}

/**
 * For each website what page-importance and urls/search read: once a UTC day, and anew where rows of the days before it were stored since. A run that is cut off leaves nothing that anybody reads.
 * Where search crawlers were served no page there is nothing to work out yet.
 * @param newId a text that no other call has given.
 */
export function importanceJob(newId: () => string) {
  return {
    name: DAILY_BUILD,
    everyMs: 6 * HOUR_MS,
    fetches: false,
    async run(
      { id }: { readonly id: string },
      { clickhouse, now, signal }: ImportanceDeps,
    ): Promise<JobResult> {
      const newest = await readImportanceBuild(clickhouse, id, now());
      if (newest !== null && !newest.stale && isOfDay(newest.generated, now())) return;
      const build = { websiteId: id, buildId: newId(), now: now() };
      return (await writeDailyBuild(clickhouse, build, signal)) ? undefined : 'nothing_yet';
    },
  };
}
