import { DAY_MS } from '../../../shared/durations.js';
import type { JobWebsite } from '../website-job.js';

/** Its owner looks at what was fetched before the first logs arrive. */
const NEW_MS = 7 * DAY_MS;

/** Which websites are fetched from by the schedule: those that send logs, and new ones. What is fetched of others nobody holds against anything. */
export function createActiveWebsites(now: () => number) {
  let active: ReadonlySet<string> = new Set();
  return {
    /** @param websiteIds those that requests came from lately. */
    set(websiteIds: ReadonlySet<string>): void {
      active = websiteIds;
    },
    isFetched({ id, createdAt }: Pick<JobWebsite, 'id' | 'createdAt'>): boolean {
      return active.has(id) || now() - Date.parse(createdAt) < NEW_MS;
    },
  };
}
