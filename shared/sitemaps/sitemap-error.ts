/** Why a file could not be read as a sitemap, or not to its end. */
export type SitemapErrorCode =
  | 'not_a_sitemap'
  | 'broken_xml'
  | 'broken_gzip'
  | 'too_large'
  | 'too_many_urls'
  | 'foreign_host'
  | 'nested_too_deep';

export class SitemapError extends Error {
  readonly code: SitemapErrorCode;

  constructor(code: SitemapErrorCode, cause?: unknown) {
    super(code, { cause });
    this.name = 'SitemapError';
    this.code = code;
  }
}
