import { defineCheck, fail, pass, unknown, warn } from '../facts/check.js';
import { unlessProved } from '../facts/unproved-crawl.js';

const WARN_MS = 1_000;
const FAIL_MS = 2_500;

export const crawlerResponseTime = defineCheck({
  id: 'crawler_response_time',
  title: 'Search crawlers are answered fast',
  category: 'speed',
  weight: 6,
  needs: ['logs'],
  judge({ logs: { crawl, p95Ms } }) {
    const open = unlessProved(crawl);
    if (open !== null) return open;
    if (crawl.meanMs === null)
      return unknown('The logs of seven days contain no duration of a request of a search crawler.', {
        outcome: 'unconfirmed',
      });
    const ms = Math.round(crawl.meanMs);
    const seen = { mean_ms: ms, p95_of_all_requests_ms: p95Ms };
    const note = `Search crawlers were answered in ${ms} ms on average over seven days.`;
    const why = 'Search engines fetch fewer pages at a time from a slow server.';
    if (ms >= FAIL_MS) return fail(`${note} ${why}`, seen);
    return ms >= WARN_MS ? warn(`${note} ${why}`, seen) : pass(note, seen);
  },
});
