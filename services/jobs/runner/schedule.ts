import { MINUTE_MS } from '../../../shared/durations.js';
import { murmur2 } from '../../../shared/event-log/partition-of.js';
import type { JobRun } from './job-runs.js';
import type { WebsiteJob } from './website-job.js';

/** When a job of a website is due. Pure; every instant is in milliseconds since the epoch. */

/** After the first run that failed or had nothing to work on. Each further one doubles the wait, up to the job's interval. */
const FIRST_RETRY_MS = 15 * MINUTE_MS;

/**
 * A job that never ran is due at once. After that, the website's id determines its moment in the interval, so not all websites run at
 * midnight. Two successful runs are at least half an interval apart.
 * @param last the last run; null: none
 */
export function nextRunAt(
  { name, everyMs }: Pick<WebsiteJob, 'name' | 'everyMs'>,
  websiteId: string,
  last: Pick<JobRun, 'startedAt' | 'finishedAt' | 'failures'> | null,
): number {
  if (last === null) return 0;
  if (last.failures > 0)
    return last.finishedAt + Math.min(everyMs, FIRST_RETRY_MS * 2 ** (last.failures - 1));
  const own = (murmur2(Buffer.from(`${websiteId} ${name}`)) >>> 0) % everyMs;
  const earliest = last.startedAt + everyMs / 2;
  return Math.ceil((earliest - own) / everyMs) * everyMs + own;
}
