import { type CrawlerShare, findCrawlerShares, joinCrawlerShares } from './crawler-share.js';
import { AT_ONCE, type Rule } from './rule.js';

const share: CrawlerShare = {
  countOf: ({ notFound, status5xx }) => notFound + status5xx,
  usualOf: ({ errorShare }) => errorShare,
  what: 'met errors',
  severity: 'warning',
};

/** A crawler gets pages not found or server errors far more than before. */
export const crawlerErrors: Rule = {
  type: 'crawler_errors',
  persistence: AT_ONCE,
  inhibitedBy: ['log_silence', 'error_spike_5xx'],
  find: (window, website) => findCrawlerShares(window, website, share),
  join: (findings) => joinCrawlerShares(findings, share),
};
