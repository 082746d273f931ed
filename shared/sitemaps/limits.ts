import { MINUTE_MS } from '../durations.js';

/** What is taken of a website's sitemaps. The first two are the protocol's own (sitemaps.org/protocol.html, "Sitemap file requirements"). */
export interface SitemapLimits {
  readonly urlsPerFile: number;
  /** After decompression. */
  readonly bytesPerFile: number;
  /** As sent. A file of 50 MB shrinks to a tenth, so this only bounds those that are not compressed. */
  readonly sentBytesPerFile: number;
  readonly files: number;
  readonly urls: number;
  /** Of other hosts, redirects to them among them: whoever writes a sitemap must not choose whom this service calls. */
  readonly foreignFiles: number;
  /** Of all files together: reading costs by them. */
  readonly characters: number;
  /** For one file. */
  readonly timeoutMs: number;
  /** For all files together: what was read by then counts. */
  readonly totalMs: number;
  readonly maxRedirects: number;
}

export const sitemapLimits: SitemapLimits = {
  urlsPerFile: 50_000,
  bytesPerFile: 52_428_800,
  sentBytesPerFile: 52_428_800,
  // At 1,000 pages a file the limit of URLs is reached first.
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
 * An index may name sitemaps; the protocol forbids an index in an index, yet shops and content systems write them, so one is
 * followed. Deeper ones would never end where a server makes them up.
 */
export const MAX_INDEX_DEPTH = 2;
