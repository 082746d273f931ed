import { shareOf, whole } from '../texts.js';
import { type Find, impact } from './finding.js';

const LEAST = 20;

export const unlistedPages: Find = ({ sitemap }) => {
  const unlisted = sitemap?.totals.not_in_sitemap ?? 0;
  const all = sitemap?.totals.all ?? 0;
  if (unlisted < LEAST) return null;
  return {
    title: 'Crawled pages are missing in the sitemaps',
    figure: `${whole(unlisted)} pages that were served to search crawlers stand in no sitemap; ${whole(all)} do.`,
    why: 'Either the sitemap is behind, or crawling goes into pages that nobody meant to be found.',
    action: 'Add those that should be found; for the others set noindex or a canonical address.',
    read: 'GET /seo/sitemap?status=not_in_sitemap',
    impact: impact(15 + shareOf(unlisted, unlisted + all) / 2, 45),
    examples: null,
  };
};
