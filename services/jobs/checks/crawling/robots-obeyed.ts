import { DAY_MS } from '../../../../shared/durations.js';
import { defineCheck, pass, unknown, warn } from '../facts/check.js';

/** Over a shorter time, the absence of violations means little. */
const LEAST_MS = DAY_MS;

export const robotsObeyed = defineCheck({
  id: 'robots_obeyed',
  title: 'Crawlers obey robots.txt',
  category: 'crawling',
  weight: 3,
  // Without requests, no violation can be seen.
  needs: ['robots', 'logs', 'now'],
  judge({ robots: { violations }, now }) {
    if (violations === null)
      return unknown('No version of robots.txt is known for the requests of the last seven days.', {
        outcome: 'unconfirmed',
      });
    const { total, judgedSince, isComplete, bots, examples } = violations;
    const since = new Date(judgedSince).toISOString();
    const sinceText = `${since.slice(0, 16).replace('T', ' ')} UTC`;
    const seen = { judged_since: since, judged_all: isComplete };
    if (total > 0) {
      const named = bots.map(({ bot, requests, paths }) => `${bot} (${paths} paths, ${requests} requests)`);
      return warn(
        `Since ${sinceText}, crawlers fetched pages that robots.txt disallows: ${named.join(', ')}. A crawler that ignores robots.txt must be blocked by the server.`,
        { ...seen, bots, examples },
      );
    }
    if (now - judgedSince < LEAST_MS)
      return unknown(
        `robots.txt is known since ${sinceText}, less than a day, and no crawler broke a rule since.`,
        {
          ...seen,
          outcome: 'unconfirmed',
        },
      );
    if (!isComplete)
      return unknown(
        `Since ${sinceText}, no crawler was found that fetched a disallowed page, but there were too many requests to check all of them.`,
        { ...seen, outcome: 'partial' },
      );
    return pass(`Since ${sinceText}, no crawler fetched a page that robots.txt disallows.`, seen);
  },
});
