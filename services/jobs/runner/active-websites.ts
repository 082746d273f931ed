import { DAY_MS } from '../../../shared/durations.js';
import type { JobWebsite, WebsiteJob } from './website-job.js';

/** Its owner looks at what was fetched before the first logs arrive. */
const NEW_MS = 7 * DAY_MS;

const MONTH_MS = 30 * DAY_MS;
const QUARTER_MS = 90 * DAY_MS;
const longestSilence = { fetched: MONTH_MS, month: MONTH_MS, quarter: QUARTER_MS };

/** Which websites the schedule runs a job for. A website without logs costs neither runs nor memory, however many there are. */
export function createActiveWebsites(now: () => number) {
  let lastDays: ReadonlyMap<string, number> = new Map();
  return {
    /** @param days by website, the UTC day on which requests last came from it; milliseconds since the epoch. */
    set(days: ReadonlyMap<string, number>): void {
      lastDays = days;
    },
    isScheduled(
      { id, createdAt }: Pick<JobWebsite, 'id' | 'createdAt'>,
      { scheduledFor = 'fetched' }: Pick<WebsiteJob, 'scheduledFor'>,
    ): boolean {
      if (scheduledFor === 'all') return true;
      if (scheduledFor === 'fetched' && now() - Date.parse(createdAt) < NEW_MS) return true;
      const last = lastDays.get(id);
      return last !== undefined && now() - last < longestSilence[scheduledFor];
    },
  };
}
