import { MAX_LOC } from './site-url.js';

/**
 * What the `Sitemap:` lines of a robots.txt name, in their order and each once (sitemaps.org/protocol.html, "Specifying the Sitemap
 * location in your robots.txt file"): they stand anywhere and belong to no group. What is no absolute URL is left out.
 */
export function sitemapLines(robotsText: string): string[] {
  const found = new Set<string>();
  for (const line of robotsText.split(/[\r\n]/)) {
    const colon = line.indexOf(':');
    if (colon < 0 || line.slice(0, colon).trim().toLowerCase() !== 'sitemap') continue;
    const value = line
      .slice(colon + 1)
      .split('#', 1)[0]!
      .trim();
    if (value.length > MAX_LOC || !URL.canParse(value)) continue;
    found.add(new URL(value).href);
    if (found.size === MAX_LINES) break;
  }
  return [...found];
}

const MAX_LINES = 500;
