import { createTurns } from '../../../../shared/pacing/turns.js';
import { crawlFindings } from '../../../../shared/reads/crawls/findings/all-crawl-findings.js';
import type { CrawlOf } from '../../../../shared/reads/crawls/findings/crawl-page.js';
import { type Severity, severities } from '../../../../shared/reads/crawls/findings/finding.js';
import type { ClickHouseReader, ClickHouseWriter } from '../../../../shared/store/client.js';
import {
  type CrawlPageCounts,
  readCrawlCounts,
  readCrawlExtent,
  readFindingCounts,
} from '../rows/crawl-counts.js';
import { writeCrawlFinding } from '../rows/crawl-findings.js';
import { readLinkGraph } from '../rows/crawl-link-graph.js';
import { writeCrawlRanks } from '../rows/crawl-writes.js';
import { rankPages } from '../rows/rank-pages.js';

export interface FinishedCrawl extends CrawlPageCounts {
  /** Pages with findings of each severity; one with two findings counts twice. */
  readonly auditSummary: Readonly<Record<Severity, number>>;
}

interface Store {
  readonly reader: ClickHouseReader;
  readonly writer: ClickHouseWriter;
}

/** The parts of a complete crawl that an upload may lack. */
export interface CrawlParts {
  /** Whether ranks are computed from the stored links or are stored already: an upload may have them without its links. */
  readonly ranks: 'from_links' | 'as_stored';
  /** Keys of findings for which the pages lack the data. */
  readonly withoutData: ReadonlySet<string>;
}

const wholeCrawl: CrawlParts = { ranks: 'from_links', withoutData: new Set() };

const RANKS_AT_ONCE = 5_000;

/**
 * Computes the results of a crawl after all its pages and links were stored: it writes the ranks of its pages and the findings, and returns its counts.
 * Calling it again writes and returns the same.
 * @throws as ClickHouseReader.read, ClickHouseWriter.insert and ClickHouseWriter.command; it may then be called again
 */
export async function finishCrawl(
  crawl: CrawlOf,
  { reader, writer }: Store,
  { ranks, withoutData }: CrawlParts = wholeCrawl,
): Promise<FinishedCrawl> {
  if (ranks === 'from_links') await writeRanks(crawl, { reader, writer });
  for (const finding of crawlFindings)
    if (!withoutData.has(finding.key)) await writeCrawlFinding(writer, crawl, finding, ranks === 'as_stored');
  const counts = await readCrawlCounts(reader, crawl);
  const found = await readFindingCounts(reader, crawl);
  const pagesOf = (severity: Severity) =>
    crawlFindings
      .filter((finding) => finding.severity === severity)
      .reduce((sum, { key }) => sum + (found.get(key) ?? 0), 0);
  const auditSummary = Object.fromEntries(severities.map((severity) => [severity, pagesOf(severity)]));
  return { ...counts, auditSummary: auditSummary as Record<Severity, number> };
}

async function writeRanks(crawl: CrawlOf, { reader, writer }: Store): Promise<void> {
  const { pages, home } = await readCrawlExtent(reader, crawl);
  const ranks = await rankPages(await readLinkGraph(reader, crawl, pages), home, createTurns());
  for (let from = 0; from < ranks.length; from += RANKS_AT_ONCE)
    await writeCrawlRanks(writer, crawl, ranks.slice(from, from + RANKS_AT_ONCE));
}
