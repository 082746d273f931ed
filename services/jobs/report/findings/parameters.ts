import { type Find, impact, onBasis } from '../model/finding.js';
import { percent, shareOf, whole } from '../model/texts.js';

const LEAST_PCT = 10;
const LEAST = 50;

export const parameters: Find = ({ crawl }) => {
  const share = shareOf(crawl.withQuery, crawl.requests);
  if (crawl.withQuery < LEAST || share < LEAST_PCT) return null;
  return {
    title: 'Search crawlers spend much crawling on URLs with parameters',
    figure: onBasis(
      crawl.basis,
      `${whole(crawl.withQuery)} requests from search crawlers were for URLs with a query string: ${percent(share)} of their requests.`,
    ),
    why: 'Filters, sorting and tracking create copies of the same page. Crawlers that fetch copies fetch the originals less often.',
    action:
      'Link to URLs without parameters, set the canonical address in each copy, and disallow endless combinations in robots.txt.',
    read: 'GET /seo/url-patterns?params_filter=with_params',
    impact: impact(10 + share, 60),
    examples: null,
  };
};
