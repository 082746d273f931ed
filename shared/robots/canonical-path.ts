/**
 * One form for paths that mean the same (RFC 9309 §2.2.2), for rules and for URLs: `/%62ar` and `/bar`, `/ツ` and `/%E3%83%84`, `%2f` and `%2F`. What is
 * percent-encoded and needn't be is decoded; what is not US-ASCII, or may stand in no URL, is encoded; reserved characters stay as they are.
 */

const UNRESERVED = new Set(Buffer.from('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~'));
const RESERVED = new Set(Buffer.from(":/?#[]@!$&'()*+,;="));

const encoded = Array.from(
  { length: 256 },
  (_, byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`,
);
const plain = encoded.map((text, byte) =>
  UNRESERVED.has(byte) || RESERVED.has(byte) ? String.fromCharCode(byte) : text,
);

/** What is in its one form already, and holds nothing that means more in a rule. */
const CANONICAL = /^[A-Za-z0-9\-._~:/?#[\]@!&'()+,;=]*$/;
const PERCENT = '%'.charCodeAt(0);

/** A URL's path and query. `*` and `$` are encoded: bare ones mean more in a rule, which writes these as %2A and %24. */
export function canonicalPath(text: string): string {
  return CANONICAL.test(text) ? text : convert(text).replaceAll('*', '%2A').replaceAll('$', '%24');
}

/** A rule's path. `*` stands, and `$` at its end; elsewhere it is a character like others. */
export function canonicalPattern(text: string): string {
  const isAnchored = text.endsWith('$');
  const pattern = convert(isAnchored ? text.slice(0, -1) : text).replaceAll('$', '%24');
  return isAnchored ? `${pattern}$` : pattern;
}

function convert(text: string): string {
  const bytes = Buffer.from(text);
  const parts: string[] = [];
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at]!;
    const escaped = byte === PERCENT ? hexByte(bytes, at + 1) : -1;
    if (escaped === -1) {
      // A % that begins no escape stays: nobody knows what it was to mean.
      parts.push(byte === PERCENT ? '%' : plain[byte]!);
    } else {
      parts.push(UNRESERVED.has(escaped) ? plain[escaped]! : encoded[escaped]!);
      at += 2;
    }
  }
  return parts.join('');
}

/** By byte, the value of a hexadecimal digit; of the others 255. */
const DIGITS = new Uint8Array(256).fill(255);
for (const [value, digit] of [...'0123456789abcdef'].entries()) {
  DIGITS[digit.charCodeAt(0)] = value;
  DIGITS[digit.toUpperCase().charCodeAt(0)] = value;
}

/** The value of two hexadecimal digits; -1 where there are none. */
function hexByte(bytes: Buffer, at: number): number {
  if (at + 1 >= bytes.length) return -1;
  const high = DIGITS[bytes[at]!]!;
  const low = DIGITS[bytes[at + 1]!]!;
  return high > 15 || low > 15 ? -1 : 16 * high + low;
}
