import type { CrawlPage, UnindexableReason } from '../../../../../shared/reads/crawls/findings/crawl-page.js';
import { classifyUrl } from '../../../../../shared/sitemaps/site-url.js';
import { isUrl } from '../../../../../shared/urls/is-url.js';
import { normalUrl } from '../../../../../shared/urls/normal-spelling.js';
import { isNoindex } from '../indexable.js';
import type { Field } from './columns.js';

/** One line of an uploaded crawl: its page, and its figures about links. Pure. */
export interface UploadedPage {
  readonly page: CrawlPage;
  /** null: not in the file. */
  readonly depth: number | null;
  readonly inlinks: number | null;
  readonly outlinks: number | null;
}

/** A line without a page: its URL is invalid or belongs to another website. */
export type NoPage = 'invalid' | 'foreign';

const LONGEST_TEXT = 1_000;
/** The maximum of its column. */
const UINT32 = 2 ** 32 - 1;

/**
 * @param read text of a field; '' if the file has no such column
 * @param has whether the file has a column for the field
 * @param number of the page
 */
export function pageOfRow(
  read: (field: Field) => string,
  has: (field: Field) => boolean,
  { domain, number, at }: { readonly domain: string; readonly number: number; readonly at: number },
): UploadedPage | NoPage {
  const loc = read('url').trim();
  const classified = classifyUrl(loc, domain);
  if (classified.kind !== 'own') return classified.kind === 'foreign' ? 'foreign' : 'invalid';
  const address = new URL(classified.url);
  const url = normalUrl(address);
  const text = (field: Field) => read(field).trim().slice(0, LONGEST_TEXT);
  const status = has('status') ? wholeNumber(text('status')) : 0;
  const redirectTo = absolute(text('redirectTo'), address);
  const canonical = absolute(text('canonical'), address);
  const isKnown = has('status');
  const reason = isKnown ? reasonOf({ read: text, has, status, url, canonical }) : '';
  const page: CrawlPage = {
    ...{ page: number, url, path: classified.path, foundBy: 'upload' },
    inSitemap: /^(true|yes|1)$/i.test(text('inSitemap')),
    ...{ status: status <= 999 ? status : 0, error: isKnown && status === 0 ? 'no_response' : '' },
    robotsAllowed: reason !== 'robots',
    ...{ redirectTo, canonical, contentType: text('contentType').slice(0, 100).toLowerCase() },
    bytes: wholeNumber(text('bytes')),
    ms: millisecondsOf(text, has),
    ...{ indexable: reason === '', unindexableReason: reason },
    metaRobots: text('metaRobots').toLowerCase(),
    xRobotsTag: text('xRobotsTag').toLowerCase(),
    titles: countOf(text('title'), text('secondTitle')),
    ...{ title: text('title'), description: text('description'), h1: text('h1') },
    h1s: countOf(text('h1'), text('secondH1')),
    ...{ lang: text('lang').slice(0, 35), words: wholeNumber(text('words')), hreflangs: [] },
    ...{ linksInternal: wholeNumber(text('outlinks')), linksExternal: wholeNumber(text('externalOutlinks')) },
    ...{ digest: text('digest').slice(0, 64), fetchedAt: at },
  };
  const told = (field: Field) => (text(field) === '' ? null : wholeNumber(text(field)));
  return { page, depth: told('depth'), inlinks: told('inlinks'), outlinks: told('outlinks') };
}

const countOf = (...texts: readonly string[]) => texts.filter((text) => text !== '').length;

/** 0 if the text is no number. A comma, a space or an apostrophe may separate thousands; a dot begins a fraction, which is cut off. */
function wholeNumber(text: string): number {
  const plain = text.replace(/[,\s\u00a0']/g, '');
  const value = Number(plain);
  return plain !== '' && Number.isFinite(value) && value > 0 ? Math.min(Math.trunc(value), UINT32) : 0;
}

function millisecondsOf(text: (field: Field) => string, has: (field: Field) => boolean): number {
  if (has('milliseconds')) return wholeNumber(text('milliseconds'));
  // Seconds with a fraction, after a dot or a comma.
  const seconds = Number(text('seconds').replace(',', '.'));
  return Number.isFinite(seconds) && seconds > 0 ? Math.min(Math.round(seconds * 1_000), UINT32) : 0;
}

function absolute(text: string, base: URL): string {
  return text !== '' && isUrl(text, base) ? normalUrl(new URL(text, base)) : '';
}

interface Judged {
  readonly read: (field: Field) => string;
  readonly has: (field: Field) => boolean;
  readonly status: number;
  readonly url: string;
  readonly canonical: string;
}

/** From the file's own columns; otherwise from its indexability columns. */
function reasonOf({ read, has, status, url, canonical }: Judged): UnindexableReason | '' {
  const told = `${read('indexability')} ${read('indexabilityReason')}`.toLowerCase();
  if (told.includes('robots.txt')) return 'robots';
  if (status === 0) return 'not_fetched';
  if (status >= 300 && status < 400) return 'redirect';
  if (status !== 200) return 'status';
  const contentType = read('contentType').toLowerCase();
  if (contentType !== '' && !contentType.includes('html')) return 'content_type';
  if (isNoindex(read('metaRobots').toLowerCase(), read('xRobotsTag'))) return 'noindex';
  if (canonical !== '' && canonical !== url) return 'canonical';
  if (!has('indexability')) return '';
  return isToldNo(told) ? (told.includes('canonical') ? 'canonical' : 'noindex') : '';
}

function isToldNo(told: string): boolean {
  const [first = ''] = told.trim().split(' ');
  return (
    ['no', 'false', '0'].includes(first) || told.includes('non-indexable') || told.includes('not indexable')
  );
}
