import { type CrawlerShare, findCrawlerShares, joinCrawlerShares } from './crawler-share.js';
import { AT_ONCE, type Rule } from './rule.js';

const share: CrawlerShare = {
  countOf: ({ rejected }) => rejected,
  usualOf: ({ rejectedShare }) => rejectedShare,
  what: 'were refused',
  severity: 'critical',
};

/**
 * A verified crawler is refused (401, 402, 403, 429, 451) far more than before, as by a firewall or a rate
 * limit.
 */
export const crawlerBlocked: Rule = {
  type: 'crawler_blocked',
  persistence: AT_ONCE,
  inhibitedBy: ['log_silence'],
  find: (window, website) => findCrawlerShares(window, website, share),
  join: (findings) => joinCrawlerShares(findings, share),
};
