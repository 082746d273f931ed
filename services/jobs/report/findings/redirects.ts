import { type Find, impact, onBasis, requestsRead } from '../model/finding.js';
import { percent, shareOf, whole } from '../model/texts.js';

const LEAST_PCT = 5;
const LEAST = 20;

export const redirects: Find = ({ crawl }) => {
  const share = shareOf(crawl.redirected, crawl.requests);
  if (crawl.redirected < LEAST || share < LEAST_PCT) return null;
  return {
    title: 'Search crawlers are redirected often',
    figure: onBasis(
      crawl.basis,
      `${whole(crawl.redirected)} requests from search crawlers returned a redirect: ${percent(share)} of their requests.`,
    ),
    why: 'A redirect costs a crawler a second request, and crawlers give up on long chains.',
    action: 'Use the final address in internal links and sitemaps, and shorten chains to one redirect.',
    read: requestsRead(crawl.basis, 'filter_type=3xx'),
    impact: impact(15 + share, 60),
    examples: null,
  };
};
