/**
 * One spelling for equivalent URLs (RFC 3986 §6.2.2): `/%62ar` and `/bar`, `/ツ` and `/%E3%83%84`, `%2f` and `%2F`,
 * `/a/../b` and `/b`. Letter case and trailing slashes stay, since servers treat them as different pages.
 */

/**
 * `'` separates nothing in a URL, and clients that follow the URL standard send it as `%27` in a query string. Both are
 * treated as one character.
 */
const UNESCAPED = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~'";
const RESERVED = ':/?#[]@!$&()*+,;=';

/** Characters that may need another spelling; nearly all paths and query strings have none. */
const NOT_PLAIN = /[^A-Za-z0-9\-._~:/?#[\]@!$&'()*+,;=]/;

/** Action for a character: none, examine the escape that it begins, or encode it. */
const [KEPT, PERCENT, ENCODED] = [0, 1, 2];
const kinds = new Uint8Array(128).fill(ENCODED);
for (const character of UNESCAPED + RESERVED) kinds[character.charCodeAt(0)] = KEPT;
kinds['%'.charCodeAt(0)] = PERCENT;

const isUnescaped = new Uint8Array(256);
for (const character of UNESCAPED) isUnescaped[character.charCodeAt(0)] = 1;
/** By character code, the value of a hexadecimal digit; 255 for other characters. */
const digitOf = new Uint8Array(128).fill(255);
for (const [value, digit] of [...'0123456789abcdef'].entries()) {
  digitOf[digit.charCodeAt(0)] = value;
  digitOf[digit.toUpperCase().charCodeAt(0)] = value;
}
const FIRST_LOWER = 'a'.charCodeAt(0);

/**
 * Normalises a query string or a part of a path. Escapes have upper-case digits. Letters, digits, `-`, `.`, `_`, `~`
 * and `'` are unescaped. Characters that no URL may contain are escaped as UTF-8. Reserved characters stay as written,
 * as does a `%` that begins no escape. Idempotent; linear.
 */
export function normalSpelling(text: string): string {
  return NOT_PLAIN.test(text) ? respell(text) : text;
}

const DOT_SEGMENT = /\/\.\.?(?:\/|$)/;

/**
 * Normalises a whole path and resolves dot segments (RFC 3986 §5.2.4), as clients and servers do. Idempotent; linear.
 */
export function normalPath(text: string): string {
  const path = normalSpelling(text);
  return path.startsWith('/') && DOT_SEGMENT.test(path) ? withoutDotSegments(path) : path;
}

/** Normalises a path with its query string. */
export function normalTarget(text: string): string {
  const mark = text.indexOf('?');
  return mark < 0 ? normalPath(text) : normalPath(text.slice(0, mark)) + normalSpelling(text.slice(mark));
}

function withoutDotSegments(path: string): string {
  const segments = path.slice(1).split('/');
  const last = segments.at(-1);
  const kept: string[] = [];
  for (const segment of segments) {
    if (segment === '..') kept.pop();
    else if (segment !== '.') kept.push(segment);
  }
  // A path that ends in a dot segment is a directory.
  if (last === '.' || last === '..') kept.push('');
  return `/${kept.join('/')}`;
}

function respell(text: string): string {
  let spelled = '';
  let taken = 0;
  /** Index of the last `%` that begins no escape. */
  let stray = -3;
  function replace(from: number, to: number, by: string): void {
    spelled += text.slice(taken, from) + by;
    taken = to;
  }
  for (let at = 0; at < text.length; ) {
    const kind = kindOf(text.charCodeAt(at));
    if (kind === KEPT) at += 1;
    else if (kind === ENCODED) {
      const end = endOfEncoded(text, at);
      replace(at, end, escaped(text.slice(at, end)));
      at = end;
    } else {
      const byte = byteAt(text, at);
      if (byte < 0) {
        stray = at;
        at += 1;
        continue;
      }
      if (isUnescaped[byte] === 1 && !(isDigit(byte) && completes(text, stray, at)))
        replace(at, at + 3, String.fromCharCode(byte));
      else if (text.charCodeAt(at + 1) >= FIRST_LOWER || text.charCodeAt(at + 2) >= FIRST_LOWER)
        replace(at, at + 3, text.slice(at, at + 3).toUpperCase());
      at += 3;
    }
  }
  return taken === 0 ? text : spelled + text.slice(taken);
}

const kindOf = (code: number): number => (code < 128 ? kinds[code]! : ENCODED);

function endOfEncoded(text: string, from: number): number {
  let end = from + 1;
  while (end < text.length && kindOf(text.charCodeAt(end)) === ENCODED) end += 1;
  return end;
}

const isDigit = (byte: number): boolean => byte < 128 && digitOf[byte]! <= 15;

/** Whether the decoded hexadecimal digit would form an escape with an earlier stray `%`: `%%341` is not `%41`. */
function completes(text: string, stray: number, at: number): boolean {
  return at - stray === 1 || (at - stray === 2 && digitAt(text, at - 1) <= 15);
}

/** Byte of the escape at a `%`; -1 if it is no escape. */
function byteAt(text: string, percent: number): number {
  const [high, low] = [digitAt(text, percent + 1), digitAt(text, percent + 2)];
  return high > 15 || low > 15 ? -1 : 16 * high + low;
}

function digitAt(text: string, at: number): number {
  const code = at < text.length ? text.charCodeAt(at) : 128;
  return code < 128 ? digitOf[code]! : 255;
}

/** An unpaired surrogate, which has no UTF-8 encoding. */
const HALF = /\p{Surrogate}/gu;

/** Percent-encodes a text completely, as UTF-8. */
function escaped(text: string): string {
  return encodeURIComponent(text.replace(HALF, '\ufffd'));
}

export function escapesOf(bytes: Buffer): string {
  return bytes.toString('hex').toUpperCase().replace(/../g, '%$&');
}

/** The first characters of a text in normal spelling, without a partial escape at the end. */
export function headOfSpelling(text: string, length: number): string {
  if (text.length <= length) return text;
  const head = text.slice(0, length);
  const percent = head.lastIndexOf('%');
  return percent >= 0 && percent > length - 3 && byteAt(text, percent) >= 0 ? head.slice(0, percent) : head;
}

/**
 * The normalised text of a URL. For http and https it omits fragment and user name; equivalent URLs give the same text.
 */
export function normalUrl({ protocol, origin, pathname, search, href }: URL): string {
  const isWeb = protocol === 'http:' || protocol === 'https:';
  return isWeb ? origin + normalTarget(pathname + search) : href;
}
