import { HOUR_MS } from '../../../../shared/durations.js';
import type { CrawlProgress } from '../../../../shared/reads/crawls/crawl-progress.js';
import { countStoredLinks, readStoredCrawl } from '../rows/crawl-resume.js';
import { createAnswerJudge } from './answer-judge.js';
import { findStart, readListed } from './crawl-start.js';
import { type CrawlState, createCrawlState } from './crawl-state.js';
import type { KnownPage } from './frontier.js';
import { createLoadResource } from './load-resource.js';
import type { CrawledSite } from './page-url.js';
import type { PageRenderer } from './render/page-renderer.js';
import type { CrawlOutcome, CrawlParts, SiteCrawl } from './site-crawl.js';
import { createVisitor, type Visit, type Visitor } from './visitor.js';

/**
 * One attempt at a crawl, from the home page to the last batch of rows. Called again with the same `crawlId` it resumes from the stored rows. It fetches the
 * home page and the seeds, then links in the order of discovery, then pages that only sitemaps list. Pages are fetched concurrently but processed in the
 * order of their numbers. So the numbers depend only on the website's responses.
 * @param onProgress called after each stored batch
 * @throws the signal's reason; as `ClickHouseReader.read` and `ClickHouseWriter.insert`. Stored rows stay in both cases
 */
export async function crawlSite(
  crawl: SiteCrawl,
  parts: CrawlParts,
  signal: AbortSignal,
  onProgress: (progress: CrawlProgress) => void,
): Promise<CrawlOutcome> {
  signal.throwIfAborted();
  const session = parts.openFetchSession();
  // Cancels fetches that are under way when the attempt ends.
  const ended = new AbortController();
  const every = AbortSignal.any([signal, ended.signal]);
  let renderer: PageRenderer | null = null;
  try {
    const visitor = createVisitor(session.fetch, parts, every);
    const stored = await readStoredCrawl(parts.reader, crawl);
    const site: CrawledSite = {
      domain: crawl.domain,
      queryKeys: new Set(crawl.queryKeys),
      ...(parts.ports === undefined ? {} : { ports: parts.ports }),
    };
    const start = await findStart(stored[0]?.url ?? null, crawl.domain, visitor);
    if (start.kind === 'stop') return start.outcome;
    const listed = await readListed(start, { site, fetch: visitor.fetch, signal: every });
    const storedLinks = stored.length === 0 ? 0 : await countStoredLinks(parts.reader, crawl);
    const pages = createCrawlState({ crawl, site, listed, stored, storedLinks }, parts);
    const began = pages.begin(start.home);
    const mayFetch = await Promise.all(began.map((url) => visitor.mayFetch(url)));
    if (!mayFetch.includes(true))
      return blocked('robots.txt of the website disallows what was to be crawled.');
    if (crawl.renderJs && parts.openRenderer !== undefined)
      renderer = parts.openRenderer(
        createLoadResource({ visitor, fetch: session.fetch, isOwn: (url) => pages.isOwn(url) }),
      );
    const look = renderer === null ? visitor.visit : rendering(visitor, renderer, every);
    const outcome = await fetchAll(pages, look, { now: parts.now, onProgress });
    parts.logger.info(
      {
        websiteId: crawl.websiteId,
        crawlId: crawl.crawlId,
        ...pages.progress(),
        leftOut: Object.fromEntries(pages.leftOut()),
        ...renderer?.counts(),
      },
      'an attempt at a crawl ended',
    );
    return outcome;
  } finally {
    ended.abort(new Error('The attempt at the crawl has ended'));
    await renderer?.close();
    session.close();
  }
}

/** Visits that read each page after its scripts have run. A page that cannot be rendered is read as it was sent. */
function rendering(visitor: Visitor, renderer: PageRenderer, signal: AbortSignal): Visitor['visit'] {
  return async (url) => {
    const visit = await visitor.visit(url);
    if (visit.kind === 'disallowed' || visit.answer.html === null) return visit;
    const html = (await renderer.render(url, visit.answer.html, signal)) ?? visit.answer.html;
    return { ...visit, answer: { ...visit.answer, html } };
  };
}

const blocked = (reason: string): CrawlOutcome => ({ outcome: 'blocked', reason });

/** Pages that are being fetched or wait for an earlier one. The pace limits the requests. */
const AT_ONCE = 8;
/** For a whole crawl, including all attempts and waits. The crawl then completes with the pages that it has. */
const LONGEST_CRAWL_MS = 48 * HOUR_MS;

async function fetchAll(
  pages: CrawlState,
  look: Visitor['visit'],
  { now, onProgress }: { now: () => number; onProgress: (progress: CrawlProgress) => void },
): Promise<CrawlOutcome> {
  const running: { page: KnownPage; visit: Promise<Visit> }[] = [];
  const judge = createAnswerJudge(pages.progress().fetched === 0);
  const end = (pages.firstFetchedAt ?? now()) + LONGEST_CRAWL_MS;
  for (;;) {
    while (running.length < AT_ONCE && now() < end) {
      const page = pages.next();
      if (page === undefined) break;
      const visit = look(page.url);
      // Avoids an unhandled rejection: the visit is awaited only when its turn comes.
      visit.catch(() => {});
      running.push({ page, visit });
    }
    const first = running.shift();
    if (first === undefined) {
      if (now() < end && (await pages.addListed())) continue;
      break;
    }
    const visit = await first.visit;
    const stop = judge(first.page, visit, (url) => pages.isOwn(url));
    if (stop !== null) {
      await pages.flush(true);
      return stop;
    }
    await pages.take(first.page, visit);
    if (await pages.flush()) onProgress(pages.progress());
  }
  await pages.flush(true);
  onProgress(pages.progress());
  return pages.answeredWell() > 0
    ? { outcome: 'ready' }
    : { outcome: 'failed', reason: 'No page of the website answered with status 200.' };
}
