import sax from 'sax';
import { createAmpersandMarker, unmarkAmpersands } from './bare-ampersands.js';
import { MAX_LOC } from './site-url.js';
import { SitemapError } from './sitemap-error.js';
import type { SitemapEvents, SitemapParser } from './sitemap-parser.js';

/** Where a kind of document has what. Names without the prefix of the document's own namespace. */
interface Form {
  /** The element of an entry, below the root. */
  readonly entry: readonly string[];
  readonly loc: string;
  readonly lastmod: string;
  /** The entries are further files. */
  readonly isIndex?: true;
  /** The URL is the attribute `href`, of the link that leads to the page itself. */
  readonly linksByHref?: true;
}

const forms: ReadonlyMap<string, Form> = new Map([
  ['urlset', { entry: ['url'], loc: 'loc', lastmod: 'lastmod' }],
  ['sitemapindex', { entry: ['sitemap'], loc: 'loc', lastmod: 'lastmod', isIndex: true }],
  ['rss', { entry: ['channel', 'item'], loc: 'link', lastmod: 'pubDate' }],
  ['feed', { entry: ['entry'], loc: 'link', lastmod: 'updated', linksByHref: true }],
]);

/** Elements within each other; the deepest extension (a video's prices) has five. */
const MAX_DEPTH = 16;
const MAX_ATTRIBUTES = 100;
/** What is longer is refused, whatever follows. */
const MAX_TEXT = MAX_LOC + 1_024;

type Place = 'loc' | 'lastmod' | null;

/** What sax says of a number that is no character. It stays as it is written. */
const ENTITY_PROBLEM = /^Invalid character entity/;
/** Each costs an Error. No generator writes any. */
const MAX_ENTITY_PROBLEMS = 100;

/** A sitemap, an index, RSS 2.0 or Atom, by its root element. Entries are told as soon as they end. */
export function createXmlForm(events: SitemapEvents): SitemapParser {
  // With the position, which is how it bounds a name, a value, a comment or a DOCTYPE to 64 KB.
  const parser = sax.parser(true, { strictEntities: true, position: true } as sax.SAXOptions);
  const open: string[] = [];
  let prefix = '';
  let form: Form | null = null;
  let place: Place = null;
  let placeDepth = 0;
  let texts = { loc: '', lastmod: '' };
  let attributes = 0;
  let entityProblems = 0;
  const ampersands = createAmpersandMarker();

  const inEntry = (depth: number) =>
    form !== null &&
    open.length === form.entry.length + 1 + depth &&
    form.entry.every((name, index) => open[index + 1] === prefix + name);

  parser.onopentagstart = () => {
    attributes = 0;
  };
  parser.onattribute = () => {
    attributes += 1;
    if (attributes > MAX_ATTRIBUTES) throw new SitemapError('broken_xml');
  };
  parser.onopentag = ({ name, attributes: given }) => {
    open.push(name);
    if (open.length > MAX_DEPTH) throw new SitemapError('nested_too_deep');
    if (form === null) {
      prefix = name.slice(0, name.indexOf(':') + 1);
      form = forms.get(name.slice(prefix.length)) ?? null;
      if (form === null) throw new SitemapError('not_a_sitemap');
      return;
    }
    if (inEntry(0)) texts = { loc: '', lastmod: '' };
    if (!inEntry(1)) return;
    if (name === prefix + form.loc) {
      if (form.linksByHref) texts.loc ||= hrefOf(given);
      else [place, placeDepth, texts.loc] = ['loc', open.length, ''];
    } else if (name === prefix + form.lastmod)
      [place, placeDepth, texts.lastmod] = ['lastmod', open.length, ''];
  };
  const onText = (text: string) => {
    if (place !== null && open.length === placeDepth && texts[place].length <= MAX_TEXT)
      texts[place] += unmarkAmpersands(text);
  };
  parser.ontext = onText;
  parser.oncdata = onText;
  parser.onclosetag = () => {
    if (inEntry(0)) tell(form!, texts, events);
    if (open.length === placeDepth) place = null;
    open.pop();
  };
  parser.onerror = (error) => {
    entityProblems += 1;
    if (!ENTITY_PROBLEM.test(error.message) || entityProblems > MAX_ENTITY_PROBLEMS)
      throw new SitemapError('broken_xml', error);
    // The parser has kept the text as it is written and can go on.
    parser.error = null as unknown as Error;
  };
  return {
    write: (text) => guarded(() => parser.write(ampersands.mark(text))),
    end: () =>
      guarded(() => {
        parser.write(ampersands.end()).close();
        if (form === null) throw new SitemapError('not_a_sitemap');
      }),
  };
}

function hrefOf(attributes: object): string {
  const given = new Map(Object.entries(attributes));
  return (given.get('rel') ?? 'alternate') === 'alternate'
    ? unmarkAmpersands(String(given.get('href') ?? '')).trim()
    : '';
}

function tell({ isIndex }: Form, texts: { loc: string; lastmod: string }, events: SitemapEvents): void {
  const loc = texts.loc.trim();
  if (isIndex) events.onSitemap(loc);
  else events.onUrl({ loc, lastmod: toInstant(texts.lastmod) });
}

/** W3C's date-times, and those of RSS (RFC 822). */
function toInstant(text: string): number | null {
  const trimmed = text.trim();
  if (trimmed === '' || trimmed.length > 40) return null;
  const at = Date.parse(trimmed);
  // The engine's DateTime64 begins in 1900; before the web or long after today it is no date of a page.
  return at >= FIRST_LASTMOD && at < LAST_LASTMOD ? at : null;
}

const FIRST_LASTMOD = Date.UTC(1990, 0, 1);
const LAST_LASTMOD = Date.UTC(2100, 0, 1);

function guarded(run: () => void): void {
  try {
    run();
  } catch (error) {
    // sax throws errors of its own, too, where an element's attribute has the name of a method.
    throw error instanceof SitemapError ? error : new SitemapError('broken_xml', error);
  }
}
