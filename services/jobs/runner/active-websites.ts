import { DAY_MS } from '../../../shared/durations.js';
import type { JobWebsite, WebsiteJob } from './website-job.js';

/** The owner of a new website reads the fetched data before the first logs arrive. */
const NEW_MS = 7 * DAY_MS;

const MONTH_MS = 30 * DAY_MS;
const QUARTER_MS = 90 * DAY_MS;
const longestSilence = { fetched: MONTH_MS, month: MONTH_MS, quarter: QUARTER_MS };

/** Decides for which websites the schedule runs a job. Websites without logs cost neither runs nor memory, in any number. */
export function createActiveWebsites(now: () => number) {
  let lastDays: ReadonlyMap<string, number> = new Map();
  return {
    /** @param days the last UTC day with requests by website; milliseconds since the epoch */
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
