import { MINUTE_MS } from '../durations.js';

/**
 * Limits of reading a website's sitemaps. The first two are those of the protocol (sitemaps.org/protocol.html, "Sitemap file
 * requirements").
 */
export interface SitemapLimits {
  readonly urlsPerFile: number;
  /** After decompression. */
  readonly bytesPerFile: number;
  /** As sent. A file of 50 MB compresses to a tenth, so this only limits uncompressed files. */
  readonly sentBytesPerFile: number;
  readonly files: number;
  readonly urls: number;
  /** Files of other hosts, including redirects to them: the author of a sitemap must not control which hosts this service requests. */
  readonly foreignFiles: number;
  /** Total of all files: the cost of reading grows with it. */
  readonly characters: number;
  /** Timeout of one file. */
  readonly timeoutMs: number;
  /** For all files together: what was read by then counts. */
  readonly totalMs: number;
  readonly maxRedirects: number;
}

export const sitemapLimits: SitemapLimits = {
  urlsPerFile: 50_000,
  bytesPerFile: 52_428_800,
  sentBytesPerFile: 52_428_800,
  // With 1,000 pages per file the limit of URLs is reached first.
  files: 1_000,
  urls: 1_000_000,
  foreignFiles: 10,
  // 1,000 for each URL; two or three minutes of one CPU.
  characters: 1_000_000_000,
  timeoutMs: 2 * MINUTE_MS,
  // A run has its own.
  totalMs: Number.POSITIVE_INFINITY,
  maxRedirects: 5,
};

/**
 * An index may name sitemaps. The protocol forbids an index in an index, but shops and content systems write them, so one level is
 * followed. Deeper levels would be endless if a server generates them.
 */
export const MAX_INDEX_DEPTH = 2;
