import { column, counted, duration, pathText, tableOrNone, whole } from '../texts.js';
import { type Find, impact, MOST_EXAMPLES } from './finding.js';

const SLOW_MS = 1_000;

export const slowPages: Find = ({ crawl }) => {
  const slow = crawl.templates.filter(({ meanMs }) => meanMs >= SLOW_MS);
  const slowest = slow[0];
  if (slowest === undefined) return null;
  return {
    title: 'Kinds of pages are slow for crawlers',
    figure: `${counted(slow.length, 'kind', 'kinds')} of pages took a second or longer on average; the slowest ${duration(slowest.meanMs)}.`,
    why: 'A crawler fetches as many pages as the server answers in its time: twice as slow is half as many.',
    action: 'Cache what does not change by visitor, and look at the queries behind the slowest kind.',
    read: 'GET /recommendations/slow-paths',
    impact: impact(30 + slowest.meanMs / 200, 70),
    examples: tableOrNone(
      'The slowest kinds of pages',
      [column('Pattern', 'path'), column('Mean time', 'number'), column('Requests', 'number')],
      slow
        .slice(0, MOST_EXAMPLES)
        .map(({ pattern, meanMs, requests }) => [pathText(pattern), duration(meanMs), whole(requests)]),
    ),
  };
};
