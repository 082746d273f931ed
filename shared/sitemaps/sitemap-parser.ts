/** An entry in a file of sitemaps.org's formats. */
export interface ListedEntry {
  /** As written, with entities resolved, without surrounding white space. Text beyond MAX_LOC may be cut. */
  readonly loc: string;
  /** Milliseconds since the epoch; null if absent or invalid. */
  readonly lastmod: number | null;
}

export interface SitemapEvents {
  onUrl(entry: ListedEntry): void;
  /** A further file in an index. */
  onSitemap(loc: string): void;
}

export interface SitemapParser {
  /** @throws SitemapError; earlier entries were already emitted. */
  write(text: string): void;
  /** @throws SitemapError */
  end(): void;
}
