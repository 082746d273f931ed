import { setImmediate as turn } from 'node:timers/promises';
import { FetchError, httpsUnanswered } from '../fetch/fetch-error.js';
import type { Fetched, Fetcher } from '../fetch/fetcher.js';
import { isUrl } from '../urls/is-url.js';
import { createForeignFiles, type ForeignFiles } from './foreign-files.js';
import { MAX_INDEX_DEPTH, type SitemapLimits, sitemapLimits } from './limits.js';
import { createSitemapParser } from './parse-sitemap.js';
import { readText } from './read-text.js';
import { classifyUrl, MAX_LOC } from './site-url.js';
import { SitemapError } from './sitemap-error.js';
import type { ListedEntry } from './sitemap-parser.js';
import { createWalkTally, type SitemapWalk, type WalkTally } from './walk-tally.js';

/** A page that a sitemap lists. */
export interface ListedUrl {
  /** Path and query in normal form, as in requests. */
  readonly path: string;
  /** Without '?'; '' if there is none. */
  readonly query: string;
  readonly url: string;
  readonly sitemap: string;
  /** Milliseconds since the epoch; null: absent. */
  readonly lastmod: number | null;
}

export interface WalkOptions {
  readonly domain: string;
  /** Values of `Sitemap:` lines in robots.txt, as written; null: robots.txt is unknown. */
  readonly fromRobots: readonly string[] | null;
  readonly fetch: Fetcher;
  /** Receives about 5,000 pages at a time while files are read; reading waits for it. */
  onUrls(urls: readonly ListedUrl[]): Promise<void>;
  readonly signal: AbortSignal;
  readonly limits?: SitemapLimits;
}

/** Common places of a sitemap that robots.txt does not name, most common first. */
const USUAL_PLACES = [
  '/sitemap.xml',
  '/sitemap_index.xml',
  '/sitemap-index.xml',
  '/wp-sitemap.xml',
  '/sitemap.xml.gz',
  '/sitemap.txt',
];

const BATCH_URLS = 5_000;
/** The file is missing or is not a sitemap. */
const ABSENT = new Set(['http_404', 'http_410', 'not_a_sitemap']);
interface File {
  readonly url: string;
  /** Number of indexes that lead to it. */
  readonly depth: number;
}

/**
 * Reads all sitemaps of a website, one file after the other: those that robots.txt names, else the first usual place with a sitemap, and
 * the files of indexes. A failed file makes the walk incomplete, and the walk continues.
 * @throws the abort reason of the signal, and any error of `onUrls`.
 */
export async function walkSitemaps(options: WalkOptions): Promise<SitemapWalk> {
  const walk = createWalk(options);
  const base = `https://${options.domain}/`;
  const named = (options.fromRobots ?? []).filter((name) => walk.queue.add(name, base, 0));
  if (named.length === 0) await findUsualPlace(options, walk);
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

function createWalk(options: WalkOptions) {
  const { limits = sitemapLimits } = options;
  const tally = createWalkTally(options.fromRobots !== null);
  const foreign = createForeignFiles(options.domain, limits.foreignFiles);
  const queue = createFileQueue(limits, tally, foreign);
  const until = performance.now() + limits.totalMs;
  const urls = createUrlBatches(options, tally);
  const read = createFileReader(options, { tally, queue, urls, foreign, until });
  return {
    queue,
    /** Reads a possible sitemap. A file that is not a sitemap counts as absent. */
    async tryFile(url: string): Promise<'there' | 'absent' | 'no_tls'> {
      // Marked before it is read, because an index may name itself.
      queue.see(url);
      const problem = await read({ url, depth: 0 });
      if (problem !== null && ABSENT.has(problem)) return 'absent';
      if (problem !== null && url.startsWith('https:') && httpsUnanswered.has(problem)) return 'no_tls';
      tally.end(url, problem);
      return 'there';
    },
    async readAll(): Promise<void> {
      for (let file = queue.next(); file !== undefined; file = queue.next()) {
        if (performance.now() >= until) tally.pass('too_many_files');
        if (tally.isFull() || tally.characters() > limits.characters || performance.now() >= until) break;
        tally.end(file.url, await read(file));
      }
      await urls.flush(1);
    },
    outcome: tally.outcome,
  };
}

type FileQueue = ReturnType<typeof createFileQueue>;

/**
 * The named files that are not read yet, each once. An excluded file counts as failed or as beyond a limit, so that the walk is incomplete.
 */
function createFileQueue(limits: SitemapLimits, tally: WalkTally, foreign: ForeignFiles) {
  const files: File[] = [];
  const seen = new Set<string>();

  function take(url: URL, base: string, depth: number): void {
    try {
      if (depth > MAX_INDEX_DEPTH) throw new SitemapError('nested_too_deep');
      if (depth === 0) foreign.admit(url);
      else foreign.admitFromIndex(url, new URL(base));
      files.push({ url: url.href, depth });
    } catch (error) {
      tally.fail(url.href, problemOf(error));
    }
  }

  return {
    /** @param base for a relative name. @returns whether the name is a valid URL. */
    add(name: string, base: string, depth: number): boolean {
      if (name === '' || name.length > MAX_LOC || !isUrl(name, base)) {
        tally.fail(name || base, 'invalid_url');
        return false;
      }
      const url = new URL(name, base);
      if (seen.has(url.href)) return true;
      if (seen.size >= limits.files) tally.pass('too_many_files');
      else {
        seen.add(url.href);
        take(url, base, depth);
      }
      return true;
    },
    /** Prevents the URL from being added. */
    see(url: string): void {
      seen.add(url);
    },
    next: () => files.shift(),
  };
}

/**
 * @returns a function that reads a file. It returns null if the file was read completely, else a status other than 200 or the problem of
 * the file.
 */
function createFileReader(
  { fetch, signal, limits = sitemapLimits }: WalkOptions,
  {
    tally,
    queue,
    urls,
    foreign,
    until,
  }: {
    tally: WalkTally;
    queue: FileQueue;
    urls: ReturnType<typeof createUrlBatches>;
    foreign: ForeignFiles;
    /** Deadline, on the clock `performance.now`. */
    until: number;
  },
) {
  /** @throws SitemapError, FetchError for a file that is not a sitemap or is cut off; entries before that were taken. */
  async function parse({ url, depth }: File, body: Fetched['body']): Promise<void> {
    let listed = 0;
    const parser = createSitemapParser({
      onUrl(entry) {
        listed += 1;
        if (listed > limits.urlsPerFile) throw new SitemapError('too_many_urls');
        urls.take(entry, url);
      },
      onSitemap: (loc) => queue.add(loc, url, depth + 1),
    });
    for await (const text of readText(body, { maxInflatedBytes: limits.bytesPerFile })) {
      // Yields to other tasks, because a body that has arrived would be read without a pause.
      await turn();
      tally.read(text.length);
      if (tally.characters() > limits.characters) throw new SitemapError('too_large');
      parser.write(text);
      await urls.flush(BATCH_URLS);
      if (tally.isFull()) return;
    }
    parser.end();
  }

  return async (file: File): Promise<string | null> => {
    try {
      const { status, body, discard } = await fetch(file.url, {
        maxBytes: limits.sentBytesPerFile,
        maxInflatedBytes: limits.bytesPerFile,
        maxRedirects: limits.maxRedirects,
        onRedirect: foreign.admit,
        timeoutMs: Math.max(1, Math.min(limits.timeoutMs, until - performance.now())),
        signal,
      });
      if (status === 200) await parse(file, body);
      else discard();
      return status === 200 ? null : `http_${status}`;
    } catch (error) {
      signal.throwIfAborted();
      return problemOf(error);
    }
  };
}

/** Collects the pages of the website and emits them in batches of about 5,000. */
function createUrlBatches(
  { domain, onUrls, signal, limits = sitemapLimits }: WalkOptions,
  { counts, pass }: WalkTally,
) {
  let batch: ListedUrl[] = [];
  return {
    take({ loc, lastmod }: ListedEntry, sitemap: string): void {
      const judged = classifyUrl(loc, domain);
      if (judged.kind === 'foreign') counts.foreignUrls += 1;
      else if (judged.kind === 'invalid') counts.invalidUrls += 1;
      else if (counts.urls >= limits.urls) pass('too_many_urls');
      else {
        counts.urls += 1;
        const { path, query, url } = judged;
        batch.push({ path, query, url, sitemap, lastmod });
      }
    },
    async flush(atLeast: number): Promise<void> {
      signal.throwIfAborted();
      if (batch.length < atLeast) return;
      const full = batch;
      batch = [];
      await onUrls(full);
    },
  };
}

/** @throws errors that are defects of this program and not of the website or the network. */
function problemOf(error: unknown): string {
  if (error instanceof SitemapError || error instanceof FetchError) return error.code;
  throw error;
}
