import { changePct } from '../../../../shared/reads/answer/figures.js';
import { type Find, impact, onBasis } from '../model/finding.js';
import { percent, whole } from '../model/texts.js';

const LEAST_DROP_PCT = 20;
const LEAST_BEFORE = 100;

export const crawlDrop: Find = ({ crawl }) => {
  const { basis, requests, requestsBefore: before, unproved } = crawl;
  const delta = changePct(requests, before);
  if (before === null || before < LEAST_BEFORE || delta === null || delta > -LEAST_DROP_PCT) return null;
  // Verification may have stopped instead of the crawling.
  if (basis === 'verified' && unproved > requests) return null;
  return {
    title: 'Search engines crawl less than before',
    figure: onBasis(
      basis,
      `Search crawlers made ${whole(requests)} requests, after ${whole(before)} in the period before: ${percent(-delta)} fewer.`,
    ),
    why: 'With less crawling, search engines find new and changed pages later. Common causes are errors, slow responses, blocked addresses and fewer new pages.',
    action:
      'Find the day of the drop in the chart of requests by day. Compare it with releases, changes of robots.txt and of the firewall, and errors.',
    read: 'GET /seo',
    impact: impact(35 + -delta * 0.6, 95),
    examples: null,
  };
};
