import { percent, shareOf, whole } from '../texts.js';
import { type Find, impact, onBasis } from './finding.js';

const LEAST_PCT = 5;
const LEAST = 20;

export const redirects: Find = ({ crawl }) => {
  const share = shareOf(crawl.redirected, crawl.requests);
  if (crawl.redirected < LEAST || share < LEAST_PCT) return null;
  return {
    title: 'Crawlers are redirected often',
    figure: onBasis(
      crawl.basis,
      `${whole(crawl.redirected)} requests of search crawlers were answered with a redirect: ${percent(share)} of all.`,
    ),
    why: 'A redirected fetch costs two, and a chain of them loses crawlers on the way.',
    action: 'Let internal links and sitemaps name the final address, and shorten chains to one step.',
    read: 'GET /seo/requests?filter=3xx',
    impact: impact(15 + share, 60),
    examples: null,
  };
};
