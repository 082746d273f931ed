import { isOwnHost } from '../urls/path-of-address.js';
import { SitemapError } from './sitemap-error.js';

/**
 * Decides which hosts may be requested for a website's sitemaps: its domain, its subdomains, and a few requests to other hosts. An index
 * may only name files of its own host (sitemaps.org/protocol.html, "Sitemap file location"); robots.txt may name any host.
 */
export function createForeignFiles(domain: string, most: number) {
  let asked = 0;
  const isOwn = ({ hostname }: URL) => isOwnHost(hostname, domain);

  /** @throws SitemapError `foreign_host` if too many requests went to other hosts. */
  function admit(url: URL): void {
    if (isOwn(url)) return;
    asked += 1;
    if (asked > most) throw new SitemapError('foreign_host');
  }

  return {
    admit,
    /** @throws SitemapError `foreign_host` */
    admitFromIndex(url: URL, index: URL): void {
      if (!isOwn(url) && url.host !== index.host) throw new SitemapError('foreign_host');
      admit(url);
    },
  };
}

export type ForeignFiles = ReturnType<typeof createForeignFiles>;
