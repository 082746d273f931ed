import { type Find, impact } from '../model/finding.js';
import { percent, shareOf, whole } from '../model/texts.js';

const LEAST = 20;
const LEAST_PCT = 10;

export const stalePages: Find = ({ sitemap }) => {
  const { all, stale } = sitemap?.totals ?? { all: null, stale: null };
  const share = shareOf(stale ?? 0, all ?? 0);
  if (stale === null || stale < LEAST || share < LEAST_PCT) return null;
  return {
    title: 'Search crawlers return to some pages too rarely',
    figure: `${whole(stale)} pages in the sitemaps (${percent(share)}) were fetched before, but not in the last weeks.`,
    why: 'Search results show the page as of the last fetch, with old prices, stock and texts.',
    action:
      'Keep lastmod in the sitemap correct, and link to changed pages from pages that are crawled often.',
    read: 'GET /seo/sitemap?status=stale',
    impact: impact(15 + share / 2, 50),
    examples: null,
  };
};
