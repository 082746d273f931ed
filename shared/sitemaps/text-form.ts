import { MAX_LOC } from './site-url.js';
import { SitemapError } from './sitemap-error.js';
import type { SitemapEvents, SitemapParser } from './sitemap-parser.js';

/** A URL on each line (sitemaps.org/protocol.html, "Text file"). */
export function createTextForm({ onUrl }: SitemapEvents): SitemapParser {
  let rest = '';
  let seen = false;

  function take(line: string): void {
    const loc = line.trim();
    if (loc === '') return;
    // Text, JSON or an error page is not a sitemap; the first line shows it.
    if (!seen && !/^https?:\/\//i.test(loc)) throw new SitemapError('not_a_sitemap');
    seen = true;
    onUrl({ loc, lastmod: null });
  }

  return {
    write(text) {
      const lines = text.split(/[\r\n]/);
      for (const [index, line] of lines.entries()) {
        rest = (rest + line.slice(0, MAX_LINE)).slice(0, MAX_LINE);
        if (index === lines.length - 1) return;
        take(rest);
        rest = '';
      }
    },
    end() {
      take(rest);
      if (!seen) throw new SitemapError('not_a_sitemap');
    },
  };
}

/** A line cut at this length is longer than any valid URL, and is refused for that. */
const MAX_LINE = MAX_LOC + 64;
