import { createHash } from 'node:crypto';
import type { Steps } from '../../../../shared/pacing/turns.js';
import { type Attributes, parseHtml } from '../../html/parse-html.js';

/** The stored facts of a page's HTML. Texts are bounded, with single spaces; addresses are as written. */
export interface PageFacts {
  readonly lang: string;
  /** The first title in the head; null: none. */
  readonly title: string | null;
  readonly titles: number;
  readonly description: string | null;
  /** Address of the first canonical link. */
  readonly canonical: string | null;
  /** All `meta` for robots, joined by a comma, in lower case. */
  readonly robots: string;
  readonly h1s: number;
  /** Text of the first `h1`; null: none. */
  readonly h1: string | null;
  /** Runs of text between white space, without scripts and styles. Languages without spaces have few. */
  readonly words: number;
  readonly hreflangs: readonly { readonly lang: string; readonly href: string }[];
  readonly links: readonly PageLink[];
  /** The number of links beyond the limit. */
  readonly linksLeftOut: number;
  /** Address of the `base` element. */
  readonly base: string | null;
  /** A digest of the page's words, 16 hexadecimal digits: equal for two pages with the same text. */
  readonly digest: string;
  /** The page nests elements more deeply than the limit. The rest was not read. */
  readonly brokenOff: boolean;
}

export interface PageLink {
  readonly href: string;
  readonly anchor: string;
  readonly nofollow: boolean;
}

export const MOST_LINKS = 2_000;
const MOST_HREFLANGS = 200;
const LONGEST_TEXT = 1_000;
const LONGEST_ANCHOR = 200;
const LONGEST_URL = 2_048;

const HIDDEN = new Set(['script', 'style', 'noscript', 'template', 'svg']);
/** Elements that do not end a word. */
const INLINE = new Set(['a', 'b', 'i', 'em', 'strong', 'span', 'u', 'small', 'sub', 'sup', 'mark', 'font']);

/** Collects text up to a length, with single spaces. */
function createText(longest: number) {
  let text = '';
  return {
    add: (more: string) => {
      if (text.length < longest * 2) text += more.slice(0, longest * 2 - text.length);
    },
    read: () => text.trim().split(/\s+/).join(' ').slice(0, longest),
  };
}

/** Counts the words of a text that arrives in pieces, and computes their digest. */
function createWords() {
  const digest = createHash('sha256');
  let count = 0;
  let inWord = false;
  return {
    add(text: string): void {
      for (const part of text.split(/(\s+)/)) {
        if (part === '') continue;
        if (part.trim() === '') this.end();
        else {
          if (!inWord) count += 1;
          inWord = true;
          digest.update(part);
        }
      }
    },
    end(): void {
      if (inWord) digest.update(' ');
      inWord = false;
    },
    read(): { words: number; digest: string } {
      this.end();
      return { words: count, digest: digest.digest('hex').slice(0, 16) };
    },
  };
}

/** Collects the facts while the page is read. */
function createCollector() {
  const hreflangs: { lang: string; href: string }[] = [];
  const links: PageLink[] = [];
  const found = {
    lang: '',
    title: null as string | null,
    titles: 0,
    description: null as string | null,
    canonical: null as string | null,
    robots: '',
    h1s: 0,
    h1: null as string | null,
    linksLeftOut: 0,
    base: null as string | null,
  };

  function onMeta({ name = '', content = '' }: Attributes): void {
    const kind = name.trim().toLowerCase();
    if (kind === 'description') found.description ??= readBounded(content, LONGEST_TEXT);
    if (kind !== 'robots') return;
    const value = readBounded(content, LONGEST_TEXT).toLowerCase();
    found.robots = [found.robots, value]
      .filter((text) => text !== '')
      .join(', ')
      .slice(0, LONGEST_TEXT);
  }

  function onLink({ rel = '', href, hreflang }: Attributes): void {
    if (href === undefined || href.length > LONGEST_URL) return;
    const kinds = relOf(rel);
    if (kinds.has('canonical')) found.canonical ??= href.trim();
    if (kinds.has('alternate') && hreflang !== undefined && hreflangs.length < MOST_HREFLANGS)
      hreflangs.push({ lang: readBounded(hreflang, 35).toLowerCase(), href: href.trim() });
  }

  function addLink({ href = '', rel = '' }: Attributes, anchor: string): void {
    const address = href.trim();
    if (address === '' || address.startsWith('#') || address.length > LONGEST_URL) return;
    if (links.length >= MOST_LINKS) found.linksLeftOut += 1;
    else links.push({ href: address, anchor, nofollow: relOf(rel).has('nofollow') });
  }

  return { found, hreflangs, links, onMeta, onLink, addLink };
}

function readBounded(text: string, longest: number): string {
  const bounded = createText(longest);
  bounded.add(text);
  return bounded.read();
}

function relOf(rel: string): ReadonlySet<string> {
  return new Set(rel.slice(0, LONGEST_TEXT).toLowerCase().split(/\s+/));
}

/** An open element whose text is collected, and the callback for its end. */
interface OpenText {
  readonly name: string;
  readonly text: ReturnType<typeof createText>;
  readonly done: (text: string) => void;
}

/** @param html of any length. The time of reading is linear in it */
export function* readPageFacts(html: string): Steps<PageFacts> {
  const { found, hreflangs, links, onMeta, onLink, addLink } = createCollector();
  const words = createWords();
  const open: OpenText[] = [];
  let hidden = 0;

  const want = (name: string, longest: number, done: (text: string) => void) => {
    // A link in a link, or a title in a title, ends the first: at most one of each name is open.
    finish(name);
    open.push({ name, text: createText(longest), done });
  };
  const finish = (name: string) => {
    const at = open.findIndex((each) => each.name === name);
    if (at < 0) return;
    const [ended] = open.splice(at, 1);
    ended!.done(ended!.text.read());
  };

  function onOpen(name: string, attributes: Attributes): void {
    if (HIDDEN.has(name)) hidden += 1;
    if (!INLINE.has(name)) words.end();
    if (name === 'html') found.lang ||= readBounded(attributes.lang ?? '', 35);
    if (name === 'base') found.base ??= attributes.href?.trim().slice(0, LONGEST_URL) ?? null;
    if (name === 'meta') onMeta(attributes);
    if (name === 'link') onLink(attributes);
    if (hidden > 0) return;
    if (name === 'a') want('a', LONGEST_ANCHOR, (anchor) => addLink(attributes, anchor));
    if (name === 'title') {
      found.titles += 1;
      want('title', LONGEST_TEXT, (text) => {
        found.title ??= text;
      });
    }
    if (name === 'h1') {
      found.h1s += 1;
      want('h1', LONGEST_TEXT, (text) => {
        found.h1 ??= text;
      });
    }
    if (name === 'img' && attributes.alt !== undefined) for (const { text } of open) text.add(attributes.alt);
  }

  const isWhole = yield* parseHtml(html, {
    onOpen,
    onClose(name) {
      if (HIDDEN.has(name)) hidden -= 1;
      if (!INLINE.has(name)) words.end();
      finish(name);
    },
    onText(text) {
      if (hidden > 0) return;
      for (const each of open) each.text.add(text);
      if (!open.some(({ name }) => name === 'title')) words.add(text);
    },
  });
  return { ...found, hreflangs, links, ...words.read(), brokenOff: !isWhole };
}
