import type { SitemapEvents, SitemapParser } from './sitemap-parser.js';
import { createTextForm } from './text-form.js';
import { createXmlForm } from './xml-form.js';

/**
 * Reads a sitemap while it comes: XML (urlset, sitemapindex, RSS 1.0 and 2.0, Atom) or plain text with a URL on each line. Elements of the extensions
 * (images, videos, news, other languages) are stepped over. No DTD is read and no entity expanded but XML's own five, so a document can't grow.
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
      // An empty file names nothing, and says so.
      form ??= createTextForm(events);
      form.end();
    },
  };
}
