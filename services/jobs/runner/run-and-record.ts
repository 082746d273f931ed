import { MINUTE_MS } from '../../../shared/durations.js';
import { warnLimited } from '../../../shared/logging/limit-warnings.js';
import type { Logger } from '../../../shared/logging/log.js';
import { guardWrites } from './guard-writes.js';
import type { EndedJobRun } from './job-runs.js';
import type { LastRuns } from './last-runs.js';
import { type RunBounds, type RunEnd, runJob } from './run-job.js';
import type { JobMetrics } from './runner-metrics.js';
import type { JobDeps, JobWebsite, WebsiteJob } from './website-job.js';

/** The longest job reads a thousand files. */
const TIME_LIMIT_MS = 15 * MINUTE_MS;

/** The reason for ending a run, which then writes nothing more. */
export const ERASED = 'the website was erased';

export interface RunOptions {
  readonly deps: Omit<JobDeps, 'signal' | 'requested' | 'details'>;
  readonly websiteOf: (id: string) => JobWebsite | undefined;
  /** Stores the result of a run. A failure is logged and costs one more run after a restart. */
  readonly recordRun: (run: EndedJobRun) => Promise<void>;
  readonly logger: Logger;
}

/** The settings of a run besides its website and job. */
export type RunCall = Omit<RunBounds, 'timeLimitMs'> & Pick<JobDeps, 'requested' | 'details'>;

/** @returns a function that runs a job and records its result. It resolves to false if the run was left to another replica, and never rejects */
export function createRun({
  deps,
  websiteOf,
  recordRun,
  logger,
  lastRuns,
  metrics,
}: RunOptions & { readonly lastRuns: LastRuns; readonly metrics: JobMetrics }) {
  return async (
    website: JobWebsite,
    job: WebsiteJob,
    { requested, details, ...ending }: RunCall,
  ): Promise<boolean> => {
    const startedAt = deps.now();
    const isErased = () => websiteOf(website.id) === undefined;
    const clickhouse = guardWrites(deps.clickhouse, () => {
      if (isErased()) throw new Error(ERASED);
    });
    const end = await runJob(
      job,
      website,
      { ...deps, clickhouse, requested, details },
      { timeLimitMs: TIME_LIMIT_MS, ...ending },
    );
    // The end of the run is not stored; the erasure deletes its earlier writes.
    if (isErased()) return true;
    if (end.outcome === 'left') return false;
    const before = lastRuns.failures(website.id, job.name);
    const ended: EndedJobRun = {
      websiteId: website.id,
      job: job.name,
      startedAt,
      finishedAt: deps.now(),
      outcome: end.outcome,
      failures: end.outcome === 'done' ? 0 : before + 1,
      problem: problemOf(end),
    };
    // A run with details differs from the scheduled run and does not delay it.
    const isUsual = details === '';
    if (isUsual) lastRuns.add([ended]);
    metrics.runs.inc({ job: job.name, outcome: end.outcome });
    metrics.seconds.observe({ job: job.name }, (ended.finishedAt - startedAt) / 1000);
    const line = { job: job.name, website_id: website.id, failures: ended.failures };
    if ('error' in end) logger.warn({ ...line, err: end.error }, 'job failed');
    if (!isUsual) return true;
    await recordRun(ended).catch((error: unknown) => {
      warnLimited(logger, { ...line, err: error }, 'the result of a job was not stored');
    });
    return true;
  };
}

/** The error in the table: a word or two, without addresses of the service's network. */
function problemOf(end: RunEnd): string {
  if (end.outcome === 'timed_out') return 'timed_out';
  if (end.outcome !== 'failed') return '';
  const { code, name } = (end.error ?? {}) as { code?: unknown; name?: unknown };
  return String(code ?? name ?? 'error').slice(0, 100);
}
