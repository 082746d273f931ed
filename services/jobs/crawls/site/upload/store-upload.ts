import type { Readable } from 'node:stream';
import { MOST_UPLOADED_PAGES } from '../../../../../shared/control/crawls/crawl-bounds.js';
import type {
  CrawlOf,
  CrawlPage,
  CrawlRank,
} from '../../../../../shared/reads/crawls/findings/crawl-page.js';
import type { ClickHouseWriter } from '../../../../../shared/store/client.js';
import { writeCrawlLinks, writeCrawlPages, writeCrawlRanks } from '../../rows/crawl-writes.js';
import { columnsOf, type Field } from './columns.js';
import { findingsWithoutData } from './findings-without-data.js';
import { readLinks } from './links-of-rows.js';
import { pageOfRow, type UploadedPage } from './page-of-row.js';
import { readUpload, type Table, UploadError } from './read-upload.js';

const MOST_UPLOADED_LINKS = 20_000_000;
const BATCH = 1_000;

export interface UploadedCrawl extends CrawlOf {
  readonly domain: string;
}

/** Each call opens the file of the upload from its beginning. */
export interface UploadFiles {
  readonly pages: () => Promise<Readable>;
  /** Links between pages; null: the upload has none. */
  readonly links: (() => Promise<Readable>) | null;
}

export interface StoredUpload {
  readonly pages: number;
  /** Lines without a page: foreign, invalid or repeated URLs. */
  readonly leftOut: number;
  /** The source of the pages' ranks: the uploaded links; the depth and links in each page's line; none, for a list of URLs. */
  readonly ranks: 'links' | 'lines' | 'none';
  /** Findings for which the upload lacks the columns. */
  readonly withoutData: ReadonlySet<string>;
}

/**
 * Stores an uploaded crawl in the tables of crawls. Storing the same files again gives the same rows.
 * @param signal cancels it. @throws UploadError with a text for the sender; as ClickHouseWriter.insert; errors of opening a file
 */
export async function storeUpload(
  crawl: UploadedCrawl,
  files: UploadFiles,
  { writer, at }: { readonly writer: ClickHouseWriter; readonly at: number },
  signal: AbortSignal,
): Promise<StoredUpload> {
  const numbers = new Map<string, number>();
  const leads: Lead[] = [];
  const tally = { ranks: false, read: 0 };
  const table = await readUpload(await files.pages());
  const columns: ReadonlyMap<Field, number> =
    table.kind === 'list' ? new Map([['url', 0]]) : columnsOf(table.header);
  if (!columns.has('url'))
    throw new UploadError('it has no column Address or URL, and is no list of URLs either');
  for await (const batch of inBatches(pagesOf(table.rows, crawl, { columns, numbers, tally, at }), BATCH)) {
    signal.throwIfAborted();
    await writeCrawlPages(
      writer,
      crawl,
      batch.map(({ page }) => page),
    );
    await writeCrawlRanks(writer, crawl, batch.map(rankOf));
    leads.push(...batch.flatMap(({ page }) => leadsOf(page)));
    tally.ranks ||= batch.some(({ inlinks }) => inlinks !== null);
  }
  if (numbers.size === 0) throw new UploadError(`none of its lines has a URL of ${crawl.domain}`);
  await storeLeads(crawl, leads, numbers, writer);
  const withoutData = findingsWithoutData((field) => columns.has(field));
  const counts = { pages: numbers.size, leftOut: tally.read - numbers.size, withoutData };
  if (files.links === null) return { ...counts, ranks: tally.ranks ? 'lines' : 'none' };
  await storeLinks(crawl, await files.links(), numbers, { writer, signal });
  return { ...counts, ranks: 'links' };
}

/** A redirect or canonical from one page to another. */
interface Lead {
  readonly from: number;
  readonly url: string;
  readonly kind: 'redirect' | 'canonical';
}

function leadsOf({ page, url, status, redirectTo, canonical }: CrawlPage): Lead[] {
  if (status >= 300 && status < 400)
    return redirectTo === '' ? [] : [{ from: page, url: redirectTo, kind: 'redirect' }];
  return canonical === '' || canonical === url ? [] : [{ from: page, url: canonical, kind: 'canonical' }];
}

async function storeLeads(
  crawl: UploadedCrawl,
  leads: readonly Lead[],
  numbers: ReadonlyMap<string, number>,
  writer: ClickHouseWriter,
): Promise<void> {
  const links = leads.flatMap(({ from, url, kind }) => {
    const to = numbers.get(url);
    return to === undefined ? [] : [{ from, to, kind, nofollow: false, anchor: '' }];
  });
  for (let first = 0; first < links.length; first += BATCH)
    await writeCrawlLinks(writer, crawl, links.slice(first, first + BATCH));
}

function rankOf({ page, depth, inlinks, outlinks }: UploadedPage): CrawlRank {
  // Without figures about links, the upload itself counts as one link to each page.
  return { page: page.page, depth, inlinks: inlinks ?? 1, outlinks: outlinks ?? 0, pagerank: 0 };
}

interface Reading {
  readonly columns: ReadonlyMap<Field, number>;
  readonly numbers: Map<string, number>;
  readonly tally: { read: number };
  readonly at: number;
}

async function* pagesOf(
  rows: Table['rows'],
  { domain }: UploadedCrawl,
  { columns, numbers, tally, at }: Reading,
): AsyncGenerator<UploadedPage> {
  for await (const row of rows) {
    tally.read += 1;
    const read = (field: Field) => row[columns.get(field) ?? -1] ?? '';
    const found = pageOfRow(read, (field) => columns.has(field), { domain, number: numbers.size, at });
    if (typeof found === 'string' || numbers.has(found.page.url)) continue;
    if (numbers.size === MOST_UPLOADED_PAGES)
      throw new UploadError(`it has more than ${MOST_UPLOADED_PAGES} pages`);
    numbers.set(found.page.url, found.page.page);
    yield found;
  }
}

async function storeLinks(
  crawl: UploadedCrawl,
  bytes: Readable,
  numbers: ReadonlyMap<string, number>,
  { writer, signal }: { readonly writer: ClickHouseWriter; readonly signal: AbortSignal },
): Promise<void> {
  let isEmpty = true;
  const links = readLinks(await readUpload(bytes), numbers, MOST_UPLOADED_LINKS);
  for await (const batch of inBatches(links, 20 * BATCH)) {
    signal.throwIfAborted();
    isEmpty = false;
    await writeCrawlLinks(writer, crawl, batch);
  }
  if (isEmpty) throw new UploadError('none of the links leads from one of its pages to another');
}

async function* inBatches<T>(items: AsyncIterable<T>, size: number): AsyncGenerator<T[]> {
  let batch: T[] = [];
  for await (const item of items) {
    batch.push(item);
    if (batch.length < size) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}
