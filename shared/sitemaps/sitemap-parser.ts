/** What a file of sitemaps.org's formats names. */
export interface ListedEntry {
  /** As written, entities resolved, without white space around it. What is longer than MAX_LOC may be cut behind that. */
  readonly loc: string;
  /** Milliseconds since the epoch; null where there is none, or none that can be read. */
  readonly lastmod: number | null;
}

export interface SitemapEvents {
  onUrl(entry: ListedEntry): void;
  /** A further file, named by an index. */
  onSitemap(loc: string): void;
}

export interface SitemapParser {
  /** @throws SitemapError; entries before the broken place were told. */
  write(text: string): void;
  /** @throws SitemapError */
  end(): void;
}
