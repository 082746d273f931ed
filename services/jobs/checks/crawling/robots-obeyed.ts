import { defineCheck, pass, unknown, warn } from '../check.js';

export const robotsObeyed = defineCheck({
  id: 'robots_obeyed',
  title: 'Crawlers keep to robots.txt',
  category: 'crawling',
  weight: 3,
  needs: ['robots'],
  judge({ robots: { violations } }) {
    if (violations === null)
      return unknown(
        'No version of robots.txt is known that requests of the last seven days could be held against.',
        {
          outcome: 'unconfirmed',
        },
      );
    if (violations.total === 0)
      return pass('In the last seven days no crawler fetched what robots.txt disallows.');
    return warn(
      `In the last seven days crawlers fetched what robots.txt disallows: ${violations.total} pairs of crawler and path. Who does not keep to it has to be turned away by the server.`,
      { pairs: violations.total, examples: violations.examples },
    );
  },
});
