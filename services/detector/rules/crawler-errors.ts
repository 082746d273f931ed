import { type CrawlerShare, findCrawlerShares, joinCrawlerShares } from './crawler-share.js';
import { AT_ONCE, type Rule } from './rule.js';

const share: CrawlerShare = {
  countOf: ({ notFound, status5xx }) => notFound + status5xx,
  usualOf: ({ errorShare }) => errorShare,
  what: 'met errors',
  severity: 'warning',
};

/** A crawler meets pages not found or errors of the server, while others don't. */
export const crawlerErrors: Rule = {
  type: 'crawler_errors',
  persistence: AT_ONCE,
  inhibitedBy: ['log_silence', 'error_spike_5xx'],
  find: (window, website) => findCrawlerShares(window, website, share),
  join: (findings) => joinCrawlerShares(findings, share),
};
