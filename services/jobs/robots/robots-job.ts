import { DAY_MS } from '../../../shared/durations.js';
import { refreshRobots } from '../../../shared/site-files/refresh-robots.js';
import type { WebsiteJob } from '../runner/website-job.js';

/** Fetches a website's robots.txt each day. Crawlers keep a copy for as long (RFC 9309 §2.4). */
export const robotsJob: WebsiteJob = {
  name: 'robots',
  everyMs: DAY_MS,
  waitsFor: 'website',
  async run(website, deps) {
    await refreshRobots(deps, website);
  },
};
