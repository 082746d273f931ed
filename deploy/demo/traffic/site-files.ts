import { DAY_MS } from '../../../shared/durations.js';
import { type DemoOptions, demoSite, demoWindow } from './demo-traffic.js';
import type { Resource } from './resource.js';
import { comingLookbooks, pastLookbooks } from './site.js';

/** The shop's robots.txt and sitemaps. */

export interface SiteFile {
  name: string;
  text: string;
}

/** Two crawlers for training may not fetch the guides, but do. No crawler violates another rule. */
export function robotsTxt(domain: string): string {
  const personal = 'Disallow: /account\nDisallow: /cart\nDisallow: /checkout/\nDisallow: /search';
  return `# What belongs to one visitor alone, and answers to what visitors typed.
User-agent: *
${personal}

# The guides are not for training.
User-agent: CCBot
User-agent: meta-externalagent
${personal}
Disallow: /blog/

Sitemap: https://${domain}/sitemap.xml
`;
}

/** An index and its files: all pages except the calendar of /hire/ and retired pages. */
export function sitemapFiles(options: DemoOptions): SiteFile[] {
  const { home, products, listings, posts, information } = demoSite(options);
  const { domain } = options;
  const changedDaysBefore = (days: number) =>
    new Date(demoWindow(options).start - days * DAY_MS).toISOString().slice(0, 10);
  const list = (some: readonly Resource[], lastmod = changedDaysBefore(1)) =>
    some.map(({ target }) => `<url><loc>https://${domain}${target}</loc><lastmod>${lastmod}</lastmod></url>`);
  const pages = products.map(({ page }) => page);
  const half = Math.ceil(pages.length / 2);
  const files: [name: string, urls: string[]][] = [
    ['sitemap-products-1.xml', list(pages.slice(0, half))],
    ['sitemap-products-2.xml', list(pages.slice(half))],
    [
      'sitemap-categories.xml',
      [
        ...list([home, ...listings, ...information, ...comingLookbooks]),
        ...list(pastLookbooks, changedDaysBefore(100)),
      ],
    ],
    ['sitemap-blog.xml', list(posts)],
  ];
  const index = files.map(([name]) => `<sitemap><loc>https://${domain}/${name}</loc></sitemap>`);
  return [
    { name: 'sitemap.xml', text: xml('sitemapindex', index) },
    ...files.map(([name, urls]) => ({ name, text: xml('urlset', urls) })),
  ];
}

const xml = (root: string, lines: readonly string[]) => `<?xml version="1.0" encoding="UTF-8"?>
<${root} xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
${lines.join('\n')}
</${root}>
`;
