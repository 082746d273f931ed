import { MAX_LOC } from './site-url.js';

/** Counts the results of a walk through a website's sitemaps. */

/** A file that could not be read completely. */
export interface SitemapProblem {
  readonly sitemap: string;
  /** A code of FetchError or SitemapError, or `http_<status>`. */
  readonly problem: string;
}

/** Reasons why a fetch may have missed URLs. */
export const incompleteReasons = [
  'robots_unknown',
  'no_sitemap',
  'files_failed',
  'too_many_files',
  'too_many_urls',
] as const;
export type IncompleteReason = (typeof incompleteReasons)[number];

export interface SitemapWalk {
  /** Every named file was read completely: pages that it did not list are unlisted. */
  readonly complete: boolean;
  /** The first matching reason, in the order of incompleteReasons; null if complete. */
  readonly reason: IncompleteReason | null;
  /** Files read completely as sitemaps, including indexes. */
  readonly files: number;
  readonly failedFiles: number;
  /** Pages of the website, counted for each listing. */
  readonly urls: number;
  readonly foreignUrls: number;
  readonly invalidUrls: number;
  /** The first twenty problems. */
  readonly problems: readonly SitemapProblem[];
}

const MAX_PROBLEMS = 20;

export type WalkTally = ReturnType<typeof createWalkTally>;

/** @param robotsKnown whether the sitemaps in robots.txt are known. */
export function createWalkTally(robotsKnown: boolean) {
  const counts = { files: 0, failedFiles: 0, urls: 0, foreignUrls: 0, invalidUrls: 0 };
  const problems: SitemapProblem[] = [];
  const passed = new Set<IncompleteReason>();
  let characters = 0;

  function fail(sitemap: string, problem: string): void {
    counts.failedFiles += 1;
    if (problems.length < MAX_PROBLEMS) problems.push({ sitemap: sitemap.slice(0, MAX_LOC), problem });
  }

  function reasonOf(): IncompleteReason | null {
    if (!robotsKnown) return 'robots_unknown';
    if (counts.files === 0 && counts.failedFiles === 0) return 'no_sitemap';
    if (counts.failedFiles > 0) return 'files_failed';
    return incompleteReasons.find((reason) => passed.has(reason)) ?? null;
  }

  return {
    counts,
    fail,
    /** @param problem null: read completely. */
    end(sitemap: string, problem: string | null): void {
      if (problem === null) counts.files += 1;
      else fail(sitemap, problem);
    },
    /** Adds characters of any file. */
    read(more: number): void {
      characters += more;
    },
    characters: () => characters,
    /** A limit of the whole walk was reached. */
    pass(limit: 'too_many_files' | 'too_many_urls'): void {
      passed.add(limit);
    },
    /** No further pages are taken. */
    isFull: () => passed.has('too_many_urls'),
    outcome(): SitemapWalk {
      const reason = reasonOf();
      return { complete: reason === null, reason, ...counts, problems };
    },
  };
}
