import { parseRobots } from '../../../../shared/robots/parse-robots.js';
import { isUrl } from '../../../../shared/urls/is-url.js';
import { defineCheck, notApplicable, pass, unknown, warn } from '../facts/check.js';

export const robotsNamesSitemap = defineCheck({
  id: 'robots_names_sitemap',
  title: 'robots.txt names the sitemaps',
  category: 'crawling',
  weight: 3,
  needs: ['robots'],
  judge({ robots: { content, status } }) {
    if (content === null) return unknown('The content of robots.txt is unknown.', { outcome: 'unconfirmed' });
    if (status === 'missing') return notApplicable('There is no robots.txt.');
    const { sitemaps } = parseRobots(content);
    const seen = { outcome: 'ok', sitemaps: sitemaps.slice(0, 10).map((url) => url.slice(0, 500)) } as const;
    if (sitemaps.length === 0)
      return warn(
        'robots.txt names no sitemap. Every crawler looks for sitemaps there, even if you do not use its webmaster tools.',
        {
          ...seen,
          advisories: ['Add a line `Sitemap:` with the full address.'],
        },
      );
    const relative = sitemaps.filter((url) => !isUrl(url));
    if (relative.length > 0)
      return warn('A sitemap must be named by its full address. Crawlers ignore a path alone.', {
        ...seen,
        advisories: ['Write the address with https:// and the host.'],
      });
    return pass(
      `robots.txt names ${sitemaps.length === 1 ? 'a sitemap' : `${sitemaps.length} sitemaps`}.`,
      seen,
    );
  },
});
