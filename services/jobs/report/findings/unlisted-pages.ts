import { type Find, impact } from '../model/finding.js';
import { shareOf, whole } from '../model/texts.js';

const LEAST = 20;

export const unlistedPages: Find = ({ sitemap }) => {
  const unlisted = sitemap?.totals.not_in_sitemap ?? 0;
  const all = sitemap?.totals.all ?? 0;
  if (unlisted < LEAST) return null;
  return {
    title: 'Crawled pages are missing from the sitemaps',
    figure: `${whole(unlisted)} pages that search crawlers were served are in no sitemap. The sitemaps list ${whole(all)} pages.`,
    why: 'Either the sitemap is out of date, or crawling goes into pages that should not be found.',
    action: 'Add the pages that should be found. Set noindex or a canonical address for the others.',
    read: 'GET /seo/sitemap?status=not_in_sitemap',
    impact: impact(15 + shareOf(unlisted, unlisted + all) / 2, 45),
    examples: null,
  };
};
