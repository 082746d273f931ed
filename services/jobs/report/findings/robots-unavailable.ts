import { plainLine } from '../../../../shared/mail/plain-line.js';
import type { Find } from './finding.js';

const failing = new Map([
  [
    'server_error',
    'robots.txt is answered with a server error. Google crawls nothing of a website while that lasts.',
  ],
  [
    'unreachable',
    'robots.txt could not be reached. Google crawls nothing of a website while it gets no answer.',
  ],
]);

export const robotsUnavailable: Find = ({ robots }) => {
  const found = failing.get(robots?.status ?? '');
  if (found === undefined) return null;
  const problem = robots?.problem ?? null;
  return {
    title: 'robots.txt can not be fetched',
    figure: `${found}${problem === null ? '' : ` The last fetch ended so: ${plainLine(problem, 200)}.`}`,
    why: 'A crawler asks for robots.txt before anything else; a failure counts as “crawl nothing”.',
    action: 'Serve robots.txt as a static file that does not depend on the application.',
    read: 'GET /seo/robots',
    impact: 85,
    examples: null,
  };
};
