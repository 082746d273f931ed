import { percent, shareOf, whole } from '../texts.js';
import { type Find, impact, onBasis } from './finding.js';

const LEAST_PCT = 10;
const LEAST = 50;

export const parameters: Find = ({ crawl }) => {
  const share = shareOf(crawl.withQuery, crawl.requests);
  if (crawl.withQuery < LEAST || share < LEAST_PCT) return null;
  return {
    title: 'Much crawling goes into URLs with parameters',
    figure: onBasis(
      crawl.basis,
      `${whole(crawl.withQuery)} requests of search crawlers were of URLs with a query string: ${percent(share)} of all.`,
    ),
    why: 'Filters, sorting and tracking multiply the same page; crawlers that fetch the copies come to the originals less often.',
    action:
      'Link without parameters, name the canonical address in each copy, and disallow endless combinations in robots.txt.',
    read: 'GET /seo/url-patterns?params_filter=with_params',
    impact: impact(10 + share, 60),
    examples: null,
  };
};
