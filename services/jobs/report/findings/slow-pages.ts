import { type Find, impact, MOST_EXAMPLES, onBasis } from '../model/finding.js';
import { column, counted, duration, pathText, tableOrNone, whole } from '../model/texts.js';

const SLOW_MS = 1_000;

export const slowPages: Find = ({ crawl }) => {
  const slow = crawl.templates.filter(({ p75Ms }) => p75Ms >= SLOW_MS);
  const slowest = slow[0];
  if (slowest === undefined) return null;
  return {
    title: 'Groups of pages are slow for search crawlers',
    figure: onBasis(
      crawl.basis,
      `In ${counted(slow.length, 'group', 'groups')} of pages, at least a quarter of the requests were for pages with an average response time of a second or more. In the slowest group that average is ${duration(slowest.p75Ms)} or more.`,
    ),
    why: 'A crawler has limited time for a website. When responses take twice as long, it fetches half as many pages.',
    action:
      'Cache pages that are the same for every visitor, and look at the database queries of the slowest group.',
    read: 'GET /recommendations/slow-paths',
    impact: impact(30 + slowest.p75Ms / 200, 70),
    examples: tableOrNone(
      'Slowest groups of pages',
      [
        column('Pattern', 'path'),
        column('Slowest quarter', 'number'),
        column('Average', 'number'),
        column('Requests', 'number'),
      ],
      slow
        .slice(0, MOST_EXAMPLES)
        .map(({ pattern, p75Ms, meanMs, requests }) => [
          pathText(pattern),
          duration(p75Ms),
          duration(meanMs),
          whole(requests),
        ]),
    ),
  };
};
