import { parseRobots } from '../../../../shared/robots/parse-robots.js';
import { defineCheck, fail, notApplicable, pass, unknown, warn } from '../facts/check.js';

/** Enough to recognise the file. */
const SHOWN = 200;

export const robotsValid = defineCheck({
  id: 'robots_valid',
  title: 'Crawlers can read robots.txt',
  category: 'crawling',
  weight: 5,
  needs: ['robots'],
  judge({ robots: { content, status, isTruncated } }) {
    if (content === null) return unknown('The content of robots.txt is unknown.', { outcome: 'unconfirmed' });
    if (status === 'missing' || content === '')
      return notApplicable('There is no robots.txt, or it is empty.');
    const { groups, sitemaps } = parseRobots(content);
    const seen = { groups: groups.length, sitemaps: sitemaps.length };
    if (/^\s*<(?:!doctype|html|\?xml)/i.test(content))
      return fail(
        'The address of robots.txt returns an HTML page. Crawlers find no rule in it and fetch everything.',
        {
          outcome: 'invalid',
          beginning: content.slice(0, SHOWN),
        },
      );
    if (isTruncated)
      return warn('The file is longer than the 500 KiB that crawlers read. They ignore the rest.', {
        outcome: 'partial',
        ...seen,
      });
    const isComment = content.split(/\r\n|\r|\n/).every((line) => /^\s*(?:#|$)/.test(line));
    if (groups.length === 0 && sitemaps.length === 0 && !isComment)
      return warn('The file has no user-agent or sitemap line, so crawlers ignore it.', {
        outcome: 'invalid',
        beginning: content.slice(0, SHOWN),
      });
    return pass('Crawlers can read the file.', { outcome: 'ok', ...seen });
  },
});
