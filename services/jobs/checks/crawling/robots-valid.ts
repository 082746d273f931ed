import { parseRobots } from '../../../../shared/robots/parse-robots.js';
import { defineCheck, fail, notApplicable, pass, unknown, warn } from '../facts/check.js';

/** Long enough to show what the file is. */
const SHOWN = 200;

export const robotsValid = defineCheck({
  id: 'robots_valid',
  title: 'Crawlers can read robots.txt',
  category: 'crawling',
  weight: 5,
  needs: ['robots'],
  judge({ robots: { content, status, isTruncated } }) {
    if (content === null) return unknown('It is not known what robots.txt says.', { outcome: 'unconfirmed' });
    if (status === 'missing' || content === '')
      return notApplicable('There is no robots.txt, or it is empty.');
    const { groups, sitemaps } = parseRobots(content);
    const seen = { groups: groups.length, sitemaps: sitemaps.length };
    if (/^\s*<(?:!doctype|html|\?xml)/i.test(content))
      return fail(
        'A page of HTML answers in the place of robots.txt. Crawlers find no rule in it and fetch everything.',
        {
          outcome: 'invalid',
          beginning: content.slice(0, SHOWN),
        },
      );
    if (isTruncated)
      return warn(
        'The file is longer than the 500 KiB that crawlers read. What stands behind that does not count.',
        {
          outcome: 'partial',
          ...seen,
        },
      );
    const isComment = content.split(/\r\n|\r|\n/).every((line) => /^\s*(?:#|$)/.test(line));
    if (groups.length === 0 && sitemaps.length === 0 && !isComment)
      return warn('The file has no line that crawlers know: neither user-agent nor sitemap.', {
        outcome: 'invalid',
        beginning: content.slice(0, SHOWN),
      });
    return pass('Crawlers can read the file.', { outcome: 'ok', ...seen });
  },
});
