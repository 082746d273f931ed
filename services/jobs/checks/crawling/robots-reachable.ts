import { defineCheck, fail, pass, unknown, warn } from '../facts/check.js';

export const robotsReachable = defineCheck({
  id: 'robots_reachable',
  title: 'robots.txt answers',
  category: 'crawling',
  weight: 6,
  needs: ['robots'],
  judge({ robots: { status, httpStatus, problem } }) {
    const seen = { status: httpStatus };
    switch (status) {
      case 'found':
        return pass('The website has a robots.txt, so crawlers know which pages they may fetch.', {
          ...seen,
          outcome: 'ok',
        });
      case 'missing':
        return warn(
          'There is no robots.txt. Crawlers may fetch every page, including pages that waste crawl budget, and do not find the sitemaps there.',
          { ...seen, outcome: 'missing' },
        );
      case 'server_error':
        return fail(
          'robots.txt is answered with a server error. Google stops crawling the whole website meanwhile, and only later continues with its saved copy.',
          { ...seen, outcome: 'server_error' },
        );
      case 'blocked':
        return unknown(
          'The website turned Loglane away, which does not prove that it turns search crawlers away.',
          { ...seen, outcome: 'blocked' },
        );
      default:
        return unknown(`robots.txt could not be fetched. ${problem ?? ''}`.trim(), {
          ...seen,
          outcome: 'unreachable',
        });
    }
  },
});
