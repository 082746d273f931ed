import { percent, shareOf, whole } from '../texts.js';
import { type Find, impact } from './finding.js';

const LEAST = 20;
const LEAST_PCT = 10;

export const stalePages: Find = ({ sitemap }) => {
  const { all, stale } = sitemap?.totals ?? { all: null, stale: null };
  const share = shareOf(stale ?? 0, all ?? 0);
  if (stale === null || stale < LEAST || share < LEAST_PCT) return null;
  return {
    title: 'Pages are crawled too seldom',
    figure: `${whole(stale)} pages of the sitemaps were fetched, but not in the last weeks: ${percent(share)}.`,
    why: 'Search results show what was there at the last fetch: prices, stock and texts of then.',
    action:
      'Keep lastmod in the sitemap true, and link to what has changed from pages that are crawled often.',
    read: 'GET /seo/sitemap?status=stale',
    impact: impact(15 + share / 2, 50),
    examples: null,
  };
};
