import { percent, shareOf, whole } from '../texts.js';
import type { Find } from './finding.js';

const LEAST = 50;
const LEAST_PCT = 50;

/** What most figures of search crawlers rest on. */
export const unprovedCrawlers: Find = ({ seo, crawl }) => {
  const { unproved_requests: unproved, crawler_requests: all } = seo;
  const share = shareOf(unproved, all);
  if (unproved < LEAST || share <= LEAST_PCT) return null;
  return {
    title: 'Most search crawlers are not proved',
    figure: `${whole(unproved)} of ${whole(all)} requests that claim to be of search crawlers are not proved: ${percent(share)}. ${
      crawl.basis === 'verified'
        ? 'Errors and answer times of crawlers are those of the proved requests.'
        : 'None is proved, so errors and answer times of crawlers are those of the claims.'
    }`,
    why: 'Anyone can claim to be a crawler. Figures that rest on claims may be those of scrapers.',
    action:
      'Let the operator of Loglane give it reverse DNS, by which most crawlers are verified. /setup and /readyz say whether it works.',
    read: 'GET /seo',
    impact: 40,
    examples: null,
  };
};
