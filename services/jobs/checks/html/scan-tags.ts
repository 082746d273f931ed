/**
 * The tags and texts of HTML, as far as checks need them: a subset of the standard's tokenizer (HTML §13.2.5). Each character is looked at a bounded number of times, whatever
 * the text holds. A parser of the field in its place would be told by the same three calls.
 */
export interface TagEvents {
  /** @param attributes by name in lower case, the first of a name; values without character references. */
  onOpenTag(name: string, attributes: ReadonlyMap<string, string>): void;
  onText(text: string): void;
  onCloseTag(name: string): void;
}

/** Whose content is text up to their own end tag. */
const RAW_TEXT: ReadonlySet<string> = new Set([
  'script',
  'style',
  'title',
  'textarea',
  'noscript',
  'iframe',
  'template',
]);
/** Of these the content is of no interest, and may be long. */
const SKIPPED: ReadonlySet<string> = new Set(['style', 'textarea', 'noscript', 'iframe', 'template']);

const MOST_ATTRIBUTES = 100;

export function scanTags(html: string, events: TagEvents): void {
  // Letters of ASCII alone: others may become longer.
  const lower = html.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
  /** Elements that are nowhere closed: not looked for again from each of their starts. */
  const missing = new Set<string>();
  let at = 0;
  while (at < html.length) {
    const open = html.indexOf('<', at);
    if (open === -1) {
      events.onText(html.slice(at));
      return;
    }
    if (open > at) events.onText(html.slice(at, open));
    const next = html[open + 1] ?? '';
    if (next === '!' || next === '?') {
      at = afterMarkup(html, open);
    } else if (next === '/') {
      const end = endOf(html, open);
      events.onCloseTag(nameAt(lower, open + 2));
      at = end;
    } else if (isLetter(next)) {
      const name = nameAt(lower, open + 1);
      const tag = readTag(html, open + 1 + name.length);
      events.onOpenTag(name, tag.attributes);
      at = RAW_TEXT.has(name) ? readRaw(name, tag.end) : tag.end;
    } else {
      events.onText('<');
      at = open + 1;
    }
  }

  function readRaw(name: string, from: number): number {
    const end = missing.has(name) ? -1 : lower.indexOf(`</${name}`, from);
    if (end === -1) {
      // Never closed: the standard takes the rest for its text. What follows is read as tags all the same, since much of it may be the page.
      missing.add(name);
      return from;
    }
    if (!SKIPPED.has(name)) events.onText(html.slice(from, end));
    return end;
  }
}

/** Behind a comment, a DOCTYPE or the like. */
function afterMarkup(html: string, open: number): number {
  if (!html.startsWith('<!--', open)) return endOf(html, open);
  const end = html.indexOf('-->', open + 4);
  return end === -1 ? html.length : end + 3;
}

function endOf(html: string, open: number): number {
  const end = html.indexOf('>', open);
  return end === -1 ? html.length : end + 1;
}

const isLetter = (character: string) => /^[a-z]$/i.test(character);
const isSpace = (code: number) => code === 32 || (code >= 9 && code <= 13);

/** Longest name of interest; of a longer one this much is told. */
const LONGEST_NAME = 40;

function nameAt(lower: string, from: number): string {
  return /^[a-z][a-z0-9:-]*/.exec(lower.slice(from, from + LONGEST_NAME))?.[0] ?? '';
}

/** The attributes of a tag, from behind its name to behind its `>`. */
function readTag(html: string, from: number): { attributes: Map<string, string>; end: number } {
  const attributes = new Map<string, string>();
  let at = from;
  while (at < html.length) {
    while (isSpace(html.charCodeAt(at)) || html[at] === '/') at += 1;
    if (at >= html.length || html[at] === '>') return { attributes, end: at + 1 };
    const start = at;
    at += 1;
    while (at < html.length && !isSpace(html.charCodeAt(at)) && !'=/>'.includes(html[at]!)) at += 1;
    const name = html.slice(start, at).toLowerCase();
    let next = at;
    while (isSpace(html.charCodeAt(next))) next += 1;
    let value = '';
    if (html[next] === '=') {
      const read = readValue(html, next + 1);
      value = read.value;
      at = read.end;
    } else at = next;
    if (!attributes.has(name) && attributes.size < MOST_ATTRIBUTES)
      attributes.set(name, decodeReferences(value));
  }
  return { attributes, end: html.length };
}

function readValue(html: string, from: number): { value: string; end: number } {
  let at = from;
  while (isSpace(html.charCodeAt(at))) at += 1;
  const quote = html[at];
  if (quote === '"' || quote === "'") {
    const end = html.indexOf(quote, at + 1);
    return end === -1
      ? { value: html.slice(at + 1), end: html.length }
      : { value: html.slice(at + 1, end), end: end + 1 };
  }
  const start = at;
  while (at < html.length && !isSpace(html.charCodeAt(at)) && html[at] !== '>') at += 1;
  return { value: html.slice(start, at), end: at };
}

const NAMED: ReadonlyMap<string, string> = new Map([
  ['amp', '&'],
  ['lt', '<'],
  ['gt', '>'],
  ['quot', '"'],
  ['apos', "'"],
  ['nbsp', ' '],
]);

/** Character references that stand in titles and addresses; others stay as they are written. */
export function decodeReferences(text: string): string {
  if (!text.includes('&')) return text;
  return text.replace(
    /&(?:#(\d{1,7})|#[xX]([0-9a-fA-F]{1,6})|([a-z]{2,4}));/g,
    (written, decimal, hex, name) => {
      if (name !== undefined) return NAMED.get(name) ?? written;
      const code = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal);
      return code > 0 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff)
        ? String.fromCodePoint(code)
        : written;
    },
  );
}
