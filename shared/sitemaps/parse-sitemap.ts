import type { SitemapEvents, SitemapParser } from './sitemap-parser.js';
import { createTextForm } from './text-form.js';
import { createXmlForm } from './xml-form.js';

/**
 * Parses a sitemap as a stream: XML (urlset, sitemapindex, RSS 1.0 and 2.0, Atom) or plain text with a URL on each line. Elements of
 * extensions (images, videos, news, other languages) are skipped. No DTD is read, and only the five entities of XML are expanded, so a
 * document cannot grow.
 */
export function createSitemapParser(events: SitemapEvents): SitemapParser {
  let form: SitemapParser | null = null;
  return {
    write(text) {
      let rest = text;
      if (form === null) {
        rest = text.trimStart();
        if (rest === '') return;
        form = rest.startsWith('<') ? createXmlForm(events) : createTextForm(events);
      }
      form.write(rest);
    },
    end() {
      // An empty file is refused as not a sitemap.
      form ??= createTextForm(events);
      form.end();
    },
  };
}
