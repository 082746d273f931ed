import { DAY_MS } from '../../../shared/durations.js';
import { type DemoOptions, demoSite, demoWindow } from './demo-traffic.js';
import { comingLookbooks, pastLookbooks } from './lookbook.js';
import type { Resource } from './resource.js';

/** The files by which the shop tells crawlers what to fetch. */

export interface SiteFile {
  name: string;
  text: string;
}

/** Search crawlers are kept from nothing that they ask for. Two crawlers that gather texts for training are kept from the guides, and fetch them. */
export function robotsTxt(domain: string): string {
  return `# What belongs to one visitor alone, and answers to what visitors typed.
User-agent: *
Disallow: /account
Disallow: /cart
Disallow: /checkout/
Disallow: /search

# The guides are not for training.
User-agent: CCBot
User-agent: meta-externalagent
Disallow: /account
Disallow: /cart
Disallow: /checkout/
Disallow: /search
Disallow: /blog/

Sitemap: https://${domain}/sitemap.xml
`;
}

/** An index and what it names: all products, categories, guides, information and lookbooks; neither the calendar of /hire/ nor what is retired. */
export function sitemapFiles(options: DemoOptions): SiteFile[] {
  const { home, products, listings, posts, information } = demoSite(options);
  const pages = products.map(({ page }) => page);
  const half = Math.ceil(pages.length / 2);
  const changed = dayOf(demoWindow(options).start - DAY_MS);
  const lastSeason = dayOf(demoWindow(options).start - 100 * DAY_MS);
  const list = (some: readonly Resource[], lastmod = changed) => entries(options.domain, some, lastmod);
  const files = [
    { name: 'sitemap-products-1.xml', urls: list(pages.slice(0, half)) },
    { name: 'sitemap-products-2.xml', urls: list(pages.slice(half)) },
    {
      name: 'sitemap-categories.xml',
      urls: [
        ...list([home, ...listings, ...information, ...comingLookbooks]),
        ...list(pastLookbooks, lastSeason),
      ],
    },
    { name: 'sitemap-blog.xml', urls: list(posts) },
  ];
  const index = files.map(({ name }) => `<sitemap><loc>https://${options.domain}/${name}</loc></sitemap>`);
  return [
    { name: 'sitemap.xml', text: xml('sitemapindex', index) },
    ...files.map(({ name, urls }) => ({ name, text: xml('urlset', urls) })),
  ];
}

function entries(domain: string, pages: readonly Resource[], lastmod: string): string[] {
  return pages.map(
    ({ target }) => `<url><loc>https://${domain}${target}</loc><lastmod>${lastmod}</lastmod></url>`,
  );
}

function xml(root: string, lines: readonly string[]): string {
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<${root} xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">`,
    ...lines,
    `</${root}>\n`,
  ].join('\n');
}

/** `2026-11-18` */
function dayOf(at: number): string {
  return new Date(at).toISOString().slice(0, 10);
}
