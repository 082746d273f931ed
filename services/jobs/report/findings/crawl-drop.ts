import { percent, whole } from '../texts.js';
import { type Find, impact } from './finding.js';

const LEAST_DROP_PCT = 20;
const LEAST_BEFORE = 100;

export const crawlDrop: Find = ({ traffic }) => {
  const delta = traffic.deltas.search_bot_requests_pct;
  const before = traffic.previous.search_bot_requests;
  if (delta === null || delta > -LEAST_DROP_PCT || before < LEAST_BEFORE) return null;
  return {
    title: 'Search engines crawl less than before',
    figure: `${whole(traffic.totals.search_bot_requests)} requests of search crawlers, ${whole(before)} in the period before: ${percent(-delta)} fewer.`,
    why: 'Less crawling means that new and changed pages are found later. It follows on errors, slow answers, blocked addresses or less that is new.',
    action:
      'Compare the day on which it fell with releases, changes of robots.txt and of the firewall, and with the errors below.',
    read: 'GET /traffic',
    impact: impact(35 + -delta * 0.6, 95),
    examples: null,
  };
};
