/** Decodes request targets as the application would. */

/** UTF-16 code units that are examined: bounds the cost of one request. */
const LONGEST_LOOK = 2_048;
const PERCENT = 37;
const SPACE = 32;
/** Attackers encode marks twice to hide them from filters. */
const ROUNDS = 2;

/**
 * Lower case, with percent-encoding decoded (up to twice). Each run of white space and each SQL comment becomes one
 * space. Linear; never throws. Bytes become the code units of their value, since all marks are ASCII.
 */
export function decodedText(text: string): string {
  let decoded = text.length > LONGEST_LOOK ? text.slice(0, LONGEST_LOOK) : text;
  for (let round = 0; round < ROUNDS && decoded.includes('%'); round += 1) decoded = percentDecoded(decoded);
  // An overlong encoding of a slash that old decoders accept.
  if (decoded.includes('\u00c0\u00af')) decoded = decoded.replaceAll('\u00c0\u00af', '/');
  if (decoded.includes('/*')) decoded = decoded.replaceAll('/**/', ' ');
  return decoded.toLowerCase();
}

/** As `decodedText`; a plus sign also becomes a space. */
export function decodedQuery(query: string): string {
  return decodedText(query.includes('+') ? query.replaceAll('+', ' ') : query);
}

/** Reused buffer: string concatenation costs ten times as much. */
const scratch = new Uint16Array(LONGEST_LOOK);

/** @param text at most {@link LONGEST_LOOK} */
function percentDecoded(text: string): string {
  let length = 0;
  for (let at = 0; at < text.length; at += 1) {
    const plain = text.charCodeAt(at);
    const code = plain === PERCENT ? byteAt(text, at + 1) : -1;
    if (code < 0) {
      scratch[length++] = plain;
      continue;
    }
    at += 2;
    // SQL treats tabs and line ends as spaces, so they hide a mark as well.
    const isSpace = code === SPACE || (code >= 9 && code <= 13);
    if (!isSpace) scratch[length++] = code;
    else if (length === 0 || scratch[length - 1] !== SPACE) scratch[length++] = SPACE;
  }
  return String.fromCharCode.apply(null, scratch.subarray(0, length) as unknown as number[]);
}

/** @returns -1 if no two hexadecimal digits are at the index. */
function byteAt(text: string, at: number): number {
  const high = digitOf(text.charCodeAt(at));
  const low = digitOf(text.charCodeAt(at + 1));
  return high < 0 || low < 0 ? -1 : high * 16 + low;
}

function digitOf(code: number): number {
  if (code >= 48 && code <= 57) return code - 48;
  const letter = code | 32;
  return letter >= 97 && letter <= 102 ? letter - 87 : -1;
}
