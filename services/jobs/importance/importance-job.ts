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
  /** Builds though the newest one seems to stand: reclassified rows count alike by day. */
  readonly requested?: boolean;
  /** Fires when nothing more is to be written. */
  readonly signal?: AbortSignal;
}

/**
 * For each website what page-importance and urls/search read: once a UTC day, and anew where rows of the days before it were stored since,
 * or where that is requested. A run that is cut off leaves nothing that anybody reads. Where search crawlers were served no page there is nothing to work out yet.
 * @param newId a text that no other call has given.
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

/** Whether there is a build of this day that still counts what is stored. */
async function isBuilt(clickhouse: BuildStore, websiteId: string, now: number): Promise<boolean> {
  const newest = await readImportanceBuild(clickhouse, websiteId, now);
  return newest !== null && !newest.stale && midnightOf(newest.generated) === midnightOf(now);
}
