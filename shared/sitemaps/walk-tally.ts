import { MAX_LOC } from './site-url.js';

/** What a walk through a website's sitemaps came to. */

/** A file that could not be read, or not to its end. */
export interface SitemapProblem {
  readonly sitemap: string;
  /** A code of FetchError or SitemapError, or `http_<status>`. */
  readonly problem: string;
}

/** Why a fetch is not known to have seen every URL. */
export const incompleteReasons = [
  'robots_unknown',
  'no_sitemap',
  'files_failed',
  'too_many_files',
  'too_many_urls',
] as const;
export type IncompleteReason = (typeof incompleteReasons)[number];

export interface SitemapWalk {
  /** Every file that is named could be read to its end: what it did not list is not listed. */
  readonly complete: boolean;
  /** The first that applies, in the order of incompleteReasons; null where it is complete. */
  readonly reason: IncompleteReason | null;
  /** Read as sitemaps to their end, indexes among them. */
  readonly files: number;
  readonly failedFiles: number;
  /** Pages of the website, each as often as it is listed. */
  readonly urls: number;
  readonly foreignUrls: number;
  readonly invalidUrls: number;
  /** The first twenty. */
  readonly problems: readonly SitemapProblem[];
}

const MAX_PROBLEMS = 20;

export type WalkTally = ReturnType<typeof createWalkTally>;

/** @param robotsKnown whether it is known which sitemaps robots.txt names. */
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
    /** @param problem null: it was read to its end. */
    end(sitemap: string, problem: string | null): void {
      if (problem === null) counts.files += 1;
      else fail(sitemap, problem);
    },
    /** Of any file. */
    read(more: number): void {
      characters += more;
    },
    characters: () => characters,
    /** A limit of the whole walk was reached. */
    pass(limit: 'too_many_files' | 'too_many_urls'): void {
      passed.add(limit);
    },
    /** No further page is taken. */
    isFull: () => passed.has('too_many_urls'),
    outcome(): SitemapWalk {
      const reason = reasonOf();
      return { complete: reason === null, reason, ...counts, problems };
    },
  };
}
