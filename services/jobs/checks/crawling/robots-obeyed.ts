import { DAY_MS } from '../../../../shared/durations.js';
import { defineCheck, pass, unknown, warn } from '../check.js';

/** That nobody broke the rules in less says little. */
const LEAST_MS = DAY_MS;

export const robotsObeyed = defineCheck({
  id: 'robots_obeyed',
  title: 'Crawlers keep to robots.txt',
  category: 'crawling',
  weight: 3,
  // Without requests nobody is seen to break a rule.
  needs: ['robots', 'logs', 'now'],
  judge({ robots: { violations }, now }) {
    if (violations === null)
      return unknown(
        'No version of robots.txt is known that requests of the last seven days could be held against.',
        { outcome: 'unconfirmed' },
      );
    const { total, judgedSince, isComplete, bots, examples } = violations;
    const since = new Date(judgedSince).toISOString();
    const seen = { judged_since: since, judged_all: isComplete };
    if (total > 0) {
      const named = bots.map(({ bot, requests, paths }) => `${bot} (${paths} paths, ${requests} requests)`);
      return warn(
        `Since ${since} crawlers fetched what robots.txt disallows: ${named.join(', ')}. Who does not keep to it has to be turned away by the server.`,
        { ...seen, bots, examples },
      );
    }
    if (now - judgedSince < LEAST_MS)
      return unknown(`robots.txt is known since ${since}, less than a day, and nobody broke it since.`, {
        ...seen,
        outcome: 'unconfirmed',
      });
    if (!isComplete)
      return unknown(
        `Since ${since} no crawler was found that fetched what robots.txt disallows, but there were too many requests to look at all of them.`,
        { ...seen, outcome: 'partial' },
      );
    return pass(`Since ${since} no crawler fetched what robots.txt disallows.`, seen);
  },
});
