import { column, counted, duration, pathText, tableOrNone, whole } from '../texts.js';
import { type Find, impact, MOST_EXAMPLES, onBasis } from './finding.js';

const SLOW_MS = 1_000;

export const slowPages: Find = ({ crawl }) => {
  const slow = crawl.templates.filter(({ p75Ms }) => p75Ms >= SLOW_MS);
  const slowest = slow[0];
  if (slowest === undefined) return null;
  return {
    title: 'Kinds of pages are slow for crawlers',
    figure: onBasis(
      crawl.basis,
      `Of ${counted(slow.length, 'kind', 'kinds')} of pages a quarter of the requests or more were for pages that take a second or longer on average; of the slowest ${duration(slowest.p75Ms)}.`,
    ),
    why: 'A crawler fetches as many pages as the server answers in its time: twice as slow is half as many.',
    action: 'Cache what does not change by visitor, and look at the queries behind the slowest kind.',
    read: 'GET /recommendations/slow-paths',
    impact: impact(30 + slowest.p75Ms / 200, 70),
    examples: tableOrNone(
      'The slowest kinds of pages',
      [
        column('Pattern', 'path'),
        column('Slowest quarter from', 'number'),
        column('Mean time', 'number'),
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
