import { FetchError } from '../fetch/fetch-error.js';
import type { Fetched, Fetcher } from '../fetch/fetcher.js';
import { MAX_INDEX_DEPTH, type SitemapLimits, sitemapLimits } from './limits.js';
import { createSitemapParser } from './parse-sitemap.js';
import { readText } from './read-text.js';
import { judgeUrl, MAX_LOC } from './site-url.js';
import { SitemapError } from './sitemap-error.js';

/** A page that a sitemap lists. */
export interface ListedUrl {
  /** As logs have it: percent-encoded, without the query string. */
  readonly path: string;
  readonly url: string;
  readonly sitemap: string;
  /** Milliseconds since the epoch; null: not told. */
  readonly lastmod: number | null;
}

/** A file that could not be read, or not to its end. */
export interface SitemapProblem {
  readonly sitemap: string;
  /** A code of FetchError or SitemapError, or `http_<status>`, `too_many_files`. */
  readonly problem: string;
}

/** Why a fetch is not known to have seen every URL. */
export type IncompleteReason =
  | 'no_sitemap'
  | 'robots_unknown'
  | 'files_failed'
  | 'too_many_files'
  | 'too_many_urls';

export interface SitemapWalk {
  /** Every file that is named could be read to its end: what it did not list is not listed. */
  readonly complete: boolean;
  /** The first that applies, in the order of IncompleteReason; null where it is complete. */
  readonly reason: IncompleteReason | null;
  /** Read as sitemaps, indexes among them; those that broke off, too. */
  readonly files: number;
  readonly failedFiles: number;
  /** Pages of the website, each as often as it is listed. */
  readonly urls: number;
  readonly foreignUrls: number;
  readonly invalidUrls: number;
  /** The first twenty. */
  readonly problems: readonly SitemapProblem[];
}

export interface WalkOptions {
  readonly domain: string;
  /** Of `Sitemap:` lines in robots.txt; null: it is not known what that says. */
  readonly fromRobots: readonly string[] | null;
  readonly fetch: Fetcher;
  /** Takes the pages by the thousand while they are read; reading waits for it. */
  onUrls(urls: readonly ListedUrl[]): Promise<void>;
  readonly signal: AbortSignal;
  readonly limits?: SitemapLimits;
}

/** Where a sitemap is found that robots.txt does not name, the usual ones first. */
const USUAL_PLACES = [
  '/sitemap.xml',
  '/sitemap_index.xml',
  '/sitemap-index.xml',
  '/wp-sitemap.xml',
  '/sitemap.xml.gz',
  '/sitemap.txt',
];

const MAX_PROBLEMS = 20;
const BATCH_URLS = 5_000;
/** Answers that say that there is no such file. */
const GONE = new Set([404, 410]);
/** Nothing speaks TLS there, so plain HTTP is tried. */
const NO_TLS = new Set(['refused', 'unreachable', 'tls', 'timeout', 'broken']);

interface File {
  readonly url: string;
  /** How many indexes lead to it. */
  readonly depth: number;
}

/**
 * Reads all sitemaps of a website, one file after the other: those that robots.txt names, else the first of the usual places
 * where there is one, and what indexes name. A failed file makes the walk incomplete and stops nothing.
 * @throws what the signal was aborted with, and what `onUrls` throws.
 */
export async function walkSitemaps(options: WalkOptions): Promise<SitemapWalk> {
  const walk = createWalk(options);
  const named = options.fromRobots ?? [];
  if (named.length > 0) for (const url of named) walk.add({ url, depth: 0 });
  else await findUsualPlace(options, walk);
  await walk.readAll();
  return walk.outcome();
}

type Walk = ReturnType<typeof createWalk>;

async function findUsualPlace({ domain }: WalkOptions, walk: Walk): Promise<void> {
  let scheme = 'https';
  for (const place of USUAL_PLACES) {
    let found = await walk.tryFile(`${scheme}://${domain}${place}`);
    if (found === 'no_tls' && scheme === 'https') {
      scheme = 'http';
      found = await walk.tryFile(`${scheme}://${domain}${place}`);
    }
    if (found !== 'absent') return;
  }
}

function createWalk({ domain, fromRobots, fetch, onUrls, signal, limits = sitemapLimits }: WalkOptions) {
  const queue: File[] = [];
  const seen = new Set<string>();
  const counts = { files: 0, failedFiles: 0, urls: 0, foreignUrls: 0, invalidUrls: 0 };
  const problems: SitemapProblem[] = [];
  const limitsPassed = new Set<'too_many_files' | 'too_many_urls'>();
  let batch: ListedUrl[] = [];

  function fail(sitemap: string, problem: string): void {
    counts.failedFiles += 1;
    if (problems.length < MAX_PROBLEMS) problems.push({ sitemap: sitemap.slice(0, MAX_LOC), problem });
  }

  async function flush(atLeast: number): Promise<void> {
    if (batch.length < atLeast) return;
    const full = batch;
    batch = [];
    signal.throwIfAborted();
    await onUrls(full);
  }

  function open(url: string): Promise<Fetched> {
    return fetch(url, {
      maxBytes: limits.sentBytesPerFile,
      maxInflatedBytes: limits.bytesPerFile,
      maxRedirects: limits.maxRedirects,
      timeoutMs: limits.timeoutMs,
      signal,
    });
  }

  /** @throws SitemapError, FetchError for a file that is none, or breaks off; what it named before was taken. */
  async function parse({ url, depth }: File, body: Fetched['body']): Promise<void> {
    let listed = 0;
    const parser = createSitemapParser({
      onUrl({ loc, lastmod }) {
        listed += 1;
        if (listed > limits.urlsPerFile) throw new SitemapError('too_many_urls');
        const judged = judgeUrl(loc, domain);
        if (judged.kind === 'foreign') counts.foreignUrls += 1;
        else if (judged.kind === 'invalid') counts.invalidUrls += 1;
        else if (counts.urls >= limits.urls) limitsPassed.add('too_many_urls');
        else {
          counts.urls += 1;
          batch.push({ path: judged.path, url: judged.url, sitemap: url, lastmod });
        }
      },
      onSitemap(loc) {
        if (loc !== '' && loc.length <= MAX_LOC && URL.canParse(loc, url))
          add({ url: new URL(loc, url).href, depth: depth + 1 });
        else counts.invalidUrls += 1;
      },
    });
    for await (const text of readText(body, { maxInflatedBytes: limits.bytesPerFile })) {
      parser.write(text);
      await flush(BATCH_URLS);
      signal.throwIfAborted();
      if (limitsPassed.has('too_many_urls')) return;
    }
    parser.end();
  }

  function add(file: File): void {
    if (seen.has(file.url)) return;
    if (seen.size >= limits.files) {
      limitsPassed.add('too_many_files');
      return;
    }
    seen.add(file.url);
    if (file.depth > MAX_INDEX_DEPTH) fail(file.url, 'nested_too_deep');
    else queue.push(file);
  }

  async function readFile(file: File): Promise<void> {
    try {
      const { status, body } = await open(file.url);
      if (status !== 200) {
        await letGo(body);
        return fail(file.url, `http_${status}`);
      }
      await parse(file, body);
      counts.files += 1;
    } catch (error) {
      signal.throwIfAborted();
      fail(file.url, problemOf(error));
    }
  }

  return {
    add,
    /** A place where there may be a sitemap. What is there and is none counts as absent. */
    async tryFile(url: string): Promise<'read' | 'absent' | 'failed' | 'no_tls'> {
      try {
        const { status, body } = await open(url);
        if (status !== 200) {
          await letGo(body);
          if (GONE.has(status)) return 'absent';
          fail(url, `http_${status}`);
          return 'failed';
        }
        seen.add(url);
        await parse({ url, depth: 0 }, body);
        counts.files += 1;
        return 'read';
      } catch (error) {
        signal.throwIfAborted();
        const problem = problemOf(error);
        if (problem === 'not_a_sitemap') return 'absent';
        if (url.startsWith('https:') && NO_TLS.has(problem)) return 'no_tls';
        fail(url, problem);
        return 'failed';
      }
    },
    async readAll(): Promise<void> {
      for (let file = queue.shift(); file !== undefined; file = queue.shift()) {
        if (limitsPassed.has('too_many_urls')) break;
        signal.throwIfAborted();
        await readFile(file);
      }
      await flush(1);
    },
    outcome(): SitemapWalk {
      const reason = reasonOf();
      return { complete: reason === null, reason, ...counts, problems };
    },
  };

  function reasonOf(): IncompleteReason | null {
    if (counts.files === 0 && counts.failedFiles === 0) return 'no_sitemap';
    if (fromRobots === null) return 'robots_unknown';
    if (counts.failedFiles > 0) return 'files_failed';
    if (limitsPassed.has('too_many_files')) return 'too_many_files';
    return limitsPassed.has('too_many_urls') ? 'too_many_urls' : null;
  }
}

/** @throws what is a defect of ours: neither the website's nor the network's. */
function problemOf(error: unknown): string {
  if (error instanceof SitemapError || error instanceof FetchError) return error.code;
  throw error;
}

/** A body that nobody reads holds its connection until the time is up. */
async function letGo(body: AsyncIterable<Uint8Array>): Promise<void> {
  for await (const _ of body) break;
}
