/**
 * One spelling for URLs that mean the same (RFC 3986 §6.2.2): `/%62ar` and `/bar`, `/ツ` and `/%E3%83%84`, `%2f` and `%2F`. Dot segments, the case of
 * letters and slashes at the end stay: servers answer them as different pages.
 */

const UNRESERVED = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~';
const RESERVED = ":/?#[]@!$&'()*+,;=";

/** What is in its normal spelling already, as nearly all paths and query strings are. */
const PLAIN = /^[A-Za-z0-9\-._~:/?#[\]@!$&'()*+,;=]*$/;

/** What to do with a character: nothing, look at the escape that it begins, or encode it. */
const [KEPT, PERCENT, ENCODED] = [0, 1, 2];
const kinds = new Uint8Array(128).fill(ENCODED);
for (const character of UNRESERVED + RESERVED) kinds[character.charCodeAt(0)] = KEPT;
kinds['%'.charCodeAt(0)] = PERCENT;

/** The same text where it needs no escape: by byte, its character. */
const unescaped = new Map(Array.from(UNRESERVED, (character) => [character.charCodeAt(0), character]));

/**
 * A path, a query string, or both with `?` between them. Escapes have upper-case digits; letters, digits, `-`, `.`, `_` and `~` are not escaped; what no URL may hold is
 * escaped as UTF-8. Reserved characters stay as they are written, and so does a `%` that begins no escape. Idempotent; linear.
 */
export function normalSpelling(text: string): string {
  return PLAIN.test(text) ? text : respell(text);
}

function respell(text: string): string {
  const parts: string[] = [];
  let taken = 0;
  /** Index of the last `%` that begins no escape. */
  let stray = -3;
  function replace(from: number, to: number, by: string): void {
    parts.push(text.slice(taken, from), by);
    taken = to;
  }
  for (let at = 0; at < text.length; ) {
    const kind = kindOf(text.charCodeAt(at));
    if (kind === KEPT) at += 1;
    else if (kind === ENCODED) {
      const end = endOfEncoded(text, at);
      replace(at, end, escaped(text.slice(at, end)));
      at = end;
    } else if (!isEscape(text, at)) {
      stray = at;
      at += 1;
    } else {
      const digits = text.slice(at + 1, at + 3);
      const character = unescaped.get(Number.parseInt(digits, 16));
      if (character !== undefined && !completes(text, stray, at)) replace(at, at + 3, character);
      else if (/[a-f]/.test(digits)) replace(at + 1, at + 3, digits.toUpperCase());
      at += 3;
    }
  }
  if (taken === 0) return text;
  parts.push(text.slice(taken));
  return parts.join('');
}

const kindOf = (code: number): number => (code < 128 ? kinds[code]! : ENCODED);

function endOfEncoded(text: string, from: number): number {
  let end = from + 1;
  while (end < text.length && kindOf(text.charCodeAt(end)) === ENCODED) end += 1;
  return end;
}

/** Whether the character of an escape would make one with a `%` before it that begins none: `%%341` is not `%41`. */
function completes(text: string, stray: number, at: number): boolean {
  return at - stray === 1 || (at - stray === 2 && isHexDigit(text.charCodeAt(at - 1)));
}

function isEscape(text: string, at: number): boolean {
  return isHexDigit(text.charCodeAt(at + 1)) && isHexDigit(text.charCodeAt(at + 2));
}

function isHexDigit(code: number): boolean {
  return (code >= 48 && code <= 57) || (code >= 65 && code <= 70) || (code >= 97 && code <= 102);
}

/** Percent codes of the text's UTF-8. */
function escaped(text: string): string {
  return escapesOf(Buffer.from(text));
}

export function escapesOf(bytes: Buffer): string {
  return bytes.toString('hex').toUpperCase().replace(/../g, '%$&');
}

/** The first characters of a text in normal spelling, without a part of an escape at the end. */
export function headOfSpelling(text: string, length: number): string {
  if (text.length <= length) return text;
  const head = text.slice(0, length);
  const percent = head.lastIndexOf('%');
  return percent >= 0 && percent > length - 3 && isEscape(text, percent) ? head.slice(0, percent) : head;
}

/** The text of a URL, of the web without fragment and user name: two that mean the same give the same text. */
export function normalUrl({ protocol, origin, pathname, search, href }: URL): string {
  const isWeb = protocol === 'http:' || protocol === 'https:';
  return isWeb ? origin + normalSpelling(pathname + search) : href;
}
