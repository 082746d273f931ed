import type { Find } from '../model/finding.js';
import { percent, shareOf, whole } from '../model/texts.js';

const LEAST = 50;
const LEAST_PCT = 50;

/** Reports that most figures of search crawlers depend on unverified requests. */
export const unprovedCrawlers: Find = ({ seo, crawl }) => {
  const { unproved_requests: unproved, crawler_requests: all } = seo;
  const share = shareOf(unproved, all);
  if (unproved < LEAST || share <= LEAST_PCT) return null;
  return {
    title: 'Most search crawler requests are not verified',
    figure: `${whole(unproved)} of ${whole(all)} requests that name a search crawler are not verified: ${percent(share)}. ${
      crawl.basis === 'verified'
        ? 'Errors and response times of crawlers are those of the verified requests.'
        : 'No request is verified, so errors and response times are those of unverified requests.'
    }`,
    why: 'Anyone can send a crawler’s user agent. Figures from unverified requests may be those of scrapers.',
    action:
      'Ask the operator of Loglane to give it reverse DNS, which verifies most crawlers. /setup and /readyz show whether it works.',
    read: 'GET /seo',
    impact: 40,
    examples: null,
  };
};
