import { HOUR_MS } from '../../../shared/durations.js';
import { DAILY_BUILD } from '../../../shared/jobs/job-request.js';
import { midnightOf } from '../../../shared/reads/bots/daily-build.js';
import { readImportanceBuild } from '../../../shared/reads/seo/page-importance-sql.js';
import type { JobResult } from '../runner/website-job.js';
import { type BuildStore, writeDailyBuild } from './write-daily-build.js';

interface ImportanceDeps {
  readonly clickhouse: BuildStore;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Builds even if the newest build seems current: reclassified rows do not change the counts by day. */
  readonly requested?: boolean;
  /** Fires when nothing more may be written. */
  readonly signal?: AbortSignal;
}

/**
 * Builds the data of page-importance and urls/search for each website: once per UTC day, again if rows of earlier days were stored since, and on request. An
 * interrupted run leaves nothing visible. If search crawlers were served no page, there is nothing to build yet.
 * @param newId returns a unique text
 */
export function importanceJob(newId: () => string) {
  return {
    name: DAILY_BUILD,
    everyMs: 6 * HOUR_MS,
    waitsFor: 'store' as const,
    // A build counts crawls of 90 days.
    scheduledFor: 'quarter' as const,
    async run(
      { id }: { readonly id: string },
      { clickhouse, now, requested = false, signal }: ImportanceDeps,
    ): Promise<JobResult> {
      if (!requested && (await isBuilt(clickhouse, id, now()))) return;
      const build = { websiteId: id, buildId: newId(), now: now() };
      return (await writeDailyBuild(clickhouse, build, signal)) ? undefined : 'nothing_yet';
    },
  };
}

/** Whether there is a build of this day that covers all stored rows. */
async function isBuilt(clickhouse: BuildStore, websiteId: string, now: number): Promise<boolean> {
  const newest = await readImportanceBuild(clickhouse, websiteId, now);
  return newest !== null && !newest.stale && midnightOf(newest.generated) === midnightOf(now);
}
