/** Why a file could not be read completely as a sitemap. */
export const sitemapErrorTexts = {
  not_a_sitemap: 'The file is no sitemap.',
  broken_xml: 'The file is no well-formed XML.',
  broken_gzip: 'The file can not be decompressed.',
  too_large: 'The file is larger than what is read of one.',
  too_many_urls: 'The file lists more URLs than are read of one.',
  foreign_host: 'The index names a file of another host, which is not fetched.',
  nested_too_deep: 'The file is an index below too many indexes.',
} as const;

export type SitemapErrorCode = keyof typeof sitemapErrorTexts;

export class SitemapError extends Error {
  readonly code: SitemapErrorCode;

  constructor(code: SitemapErrorCode, cause?: unknown) {
    super(code, { cause });
    this.name = 'SitemapError';
    this.code = code;
  }
}
