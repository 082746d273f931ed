/** Texts of targets as the application behind the server would see them. */

/** Longer texts are looked at up to here, in UTF-16 code units: a bound on what one request may cost. */
const LONGEST_LOOK = 2_048;
const PERCENT = 37;
const SPACE = 32;
/** Marks are hidden from filters by encoding them once more. */
const ROUNDS = 2;

/**
 * Lower case, percent-encoding undone (also where it was done twice), every run of white space one space, comments of SQL a space.
 * Linear; never throws, whatever the text. Bytes become the code units of their value: what is looked for is ASCII.
 */
export function decodedText(text: string): string {
  let decoded = text.length > LONGEST_LOOK ? text.slice(0, LONGEST_LOOK) : text;
  for (let round = 0; round < ROUNDS && decoded.includes('%'); round += 1) decoded = percentDecoded(decoded);
  // An overlong form of a slash that old decoders take.
  if (decoded.includes('\u00c0\u00af')) decoded = decoded.replaceAll('\u00c0\u00af', '/');
  if (decoded.includes('/*')) decoded = decoded.replaceAll('/**/', ' ');
  return decoded.toLowerCase();
}

/** A query: there a plus sign is a space, too. */
export function decodedQuery(query: string): string {
  return decodedText(query.includes('+') ? query.replaceAll('+', ' ') : query);
}

/** Written to and read at once: a text of many pieces put together costs ten times as much. */
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
    // Tabs and line ends are spaces to SQL, and hide a mark as well as they do.
    const isSpace = code === SPACE || (code >= 9 && code <= 13);
    if (!isSpace) scratch[length++] = code;
    else if (length === 0 || scratch[length - 1] !== SPACE) scratch[length++] = SPACE;
  }
  return String.fromCharCode.apply(null, scratch.subarray(0, length) as unknown as number[]);
}

/** @returns -1 where no two hexadecimal digits stand. */
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
