import { isOwnHost } from '../urls/path-of-address.js';
import { SitemapError } from './sitemap-error.js';

/**
 * Who may be asked for a website's sitemaps: its domain and what lies below it, and other hosts a handful of times. An index names files of its own host alone, as the protocol has
 * it (sitemaps.org/protocol.html, "Sitemap file location"); robots.txt may name any.
 */
export function createForeignFiles(domain: string, most: number) {
  let asked = 0;
  const isOwn = ({ hostname }: URL) => isOwnHost(hostname, domain);

  /** @throws SitemapError `foreign_host` where the host has been asked often enough. */
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
