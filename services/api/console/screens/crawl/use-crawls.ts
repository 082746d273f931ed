import { useState } from 'preact/hooks';
import type { Answer } from '../../api/operations.js';
import { type ReadState, useRead } from '../../api/use-read.js';
import { useWebsite } from '../../parts/website.js';

export type Crawls = Answer<'listCrawls'>;
export type CrawlRun = Crawls['crawls'][number];

const OPEN: ReadonlySet<string> = new Set(['pending_upload', 'queued', 'processing']);
const OPEN_REPEAT_MS = 4_000;
const QUIET_REPEAT_MS = 60_000;

/** The crawls of the website; read often while one is under way. */
export function useCrawls(): ReadState<Crawls> {
  const { website } = useWebsite();
  const [hasOpen, setHasOpen] = useState(false);
  const crawls = useRead(
    'listCrawls',
    website,
    {},
    { when: website !== null, every: hasOpen ? OPEN_REPEAT_MS : QUIET_REPEAT_MS },
  );
  const isOpen = openCrawl(crawls.answer) !== null;
  if (isOpen !== hasOpen) setHasOpen(isOpen);
  return crawls;
}

/** The crawl that waits or is under way; a website has one at most. */
export function openCrawl(crawls: Crawls | null): CrawlRun | null {
  return crawls?.crawls.find(({ status }) => OPEN.has(status)) ?? null;
}
