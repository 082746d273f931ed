import sax from 'sax';
import { createAmpersandMarker, unmarkAmpersands } from './bare-ampersands.js';
import { readDate } from './read-date.js';
import { MAX_LOC } from './site-url.js';
import { SitemapError } from './sitemap-error.js';
import type { SitemapEvents, SitemapParser } from './sitemap-parser.js';

/** The element names of a kind of document. A name without a colon has the prefix of the document's own namespace. */
interface Form {
  /** The path of an entry's element, below the root. */
  readonly entry: readonly string[];
  readonly loc: string;
  /** The first of these that the entry has is used. */
  readonly lastmod: readonly string[];
  /** The entries are further files. */
  readonly isIndex?: true;
  /** The URL is the attribute `href` of the link to the page itself. */
  readonly linksByHref?: true;
  /** An entry without a link may have its URL in `guid`, unless its `isPermaLink` is false (RSS 2.0, "guid"). */
  readonly hasPermalinks?: true;
  /** The root has its own prefix, and an entry without a link has its URL in the attribute `rdf:about` (RSS 1.0 §5.5). */
  readonly isRdf?: true;
}

const forms: ReadonlyMap<string, Form> = new Map([
  ['urlset', { entry: ['url'], loc: 'loc', lastmod: ['lastmod'] }],
  ['sitemapindex', { entry: ['sitemap'], loc: 'loc', lastmod: ['lastmod'], isIndex: true }],
  ['rss', { entry: ['channel', 'item'], loc: 'link', lastmod: ['pubDate', 'dc:date'], hasPermalinks: true }],
  ['RDF', { entry: ['item'], loc: 'link', lastmod: ['dc:date'], isRdf: true }],
  ['feed', { entry: ['entry'], loc: 'link', lastmod: ['updated', 'published'], linksByHref: true }],
]);

/** Nested elements; the deepest extension (a video's prices) has five. */
const MAX_DEPTH = 16;
const MAX_ATTRIBUTES = 100;
/** A longer text is invalid with any continuation. */
const MAX_TEXT = MAX_LOC + 1_024;

type Texts = Record<'loc' | 'permalink' | 'lastmod', string>;
type Place = keyof Texts | null;
const noTexts: Texts = { loc: '', permalink: '', lastmod: '' };

/** The message of sax for a numeric entity of an invalid character, which is read as written. */
const ENTITY_PROBLEM = /^Invalid character entity/;
/** Each creates an Error. No generator writes any. */
const MAX_ENTITY_PROBLEMS = 100;

/** Parses a sitemap, a sitemap index, RSS 1.0 or 2.0, or Atom, by the root element. The parser reports each entry at its end tag. */
export function createXmlForm(events: SitemapEvents): SitemapParser {
  // The option `position` makes sax limit a name, a value, a comment or a DOCTYPE to 64 KB.
  const parser = sax.parser(true, { strictEntities: true, position: true } as sax.SAXOptions);
  const open: string[] = [];
  let prefix = '';
  let form: Form | null = null;
  let place: Place = null;
  let placeDepth = 0;
  let texts = { ...noTexts };
  /** Index of the used name in `lastmod`. */
  let rank = 0;
  let attributes = 0;
  let entityProblems = 0;
  const ampersands = createAmpersandMarker();

  const inEntry = (depth: number) =>
    form !== null &&
    open.length === form.entry.length + 1 + depth &&
    form.entry.every((name, index) => open[index + 1] === prefix + name);

  const rankOf = (name: string) => {
    const found = form!.lastmod.findIndex((one) => name === (one.includes(':') ? one : prefix + one));
    return found < 0 ? Number.POSITIVE_INFINITY : found;
  };

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
      if (form.isRdf) prefix = '';
      return;
    }
    if (inEntry(0)) {
      texts = { ...noTexts, permalink: form.isRdf ? attributeOf(given, 'rdf:about') : '' };
      rank = form.lastmod.length;
    }
    if (!inEntry(1)) return;
    if (name === prefix + form.loc) {
      // Some files have several URLs in one entry, because the tags between them are missing.
      if (form.loc === 'loc' && texts.loc !== '') {
        emit(form, texts, events);
        [texts, rank] = [{ ...noTexts }, form.lastmod.length];
      }
      if (form.linksByHref) texts.loc ||= hrefOf(given);
      else [place, placeDepth, texts.loc] = ['loc', open.length, ''];
    } else if (form.hasPermalinks && name === `${prefix}guid` && isPermalink(given))
      [place, placeDepth, texts.permalink] = ['permalink', open.length, ''];
    else if (rankOf(name) < rank)
      [place, placeDepth, texts.lastmod, rank] = ['lastmod', open.length, '', rankOf(name)];
  };
  const onText = (text: string) => {
    if (place !== null && open.length >= placeDepth && texts[place].length <= MAX_TEXT)
      texts[place] += unmarkAmpersands(text);
  };
  parser.ontext = onText;
  parser.oncdata = onText;
  parser.onclosetag = () => {
    if (inEntry(0)) emit(form!, texts, events);
    if (open.length === placeDepth) place = null;
    open.pop();
  };
  parser.onerror = (error) => {
    entityProblems += 1;
    if (!ENTITY_PROBLEM.test(error.message) || entityProblems > MAX_ENTITY_PROBLEMS)
      throw new SitemapError('broken_xml', error);
    // The parser has stored the text as written and can continue.
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

function attributeOf(attributes: object, name: string): string {
  const given = new Map(Object.entries(attributes));
  return unmarkAmpersands(String(given.get(name) ?? '')).trim();
}

function hrefOf(attributes: object): string {
  const rel = attributeOf(attributes, 'rel');
  return rel === '' || rel === 'alternate' ? attributeOf(attributes, 'href') : '';
}

function isPermalink(attributes: object): boolean {
  // Some feeds write the name in lower case.
  return !['isPermaLink', 'ispermalink'].some(
    (name) => attributeOf(attributes, name).toLowerCase() === 'false',
  );
}

function emit({ isIndex }: Form, { loc, permalink, lastmod }: Texts, events: SitemapEvents): void {
  const url = loc.trim() || permalink.trim();
  if (isIndex) events.onSitemap(url);
  else events.onUrl({ loc: url, lastmod: readDate(lastmod) });
}

function guarded(run: () => void): void {
  try {
    run();
  } catch (error) {
    // sax also throws other errors, if an attribute has the name of a method.
    throw error instanceof SitemapError ? error : new SitemapError('broken_xml', error);
  }
}
