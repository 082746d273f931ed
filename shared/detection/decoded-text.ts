/** Texts of targets as the application behind the server would see them. */

/** Longer texts are looked at up to here, in UTF-16 code units: a bound on what one request may cost. */
const LONGEST_LOOK = 4_096;
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

function percentDecoded(text: string): string {
  let decoded = '';
  let from = 0;
  for (let at = text.indexOf('%'); at >= 0; at = text.indexOf('%', at)) {
    const code = byteAt(text, at + 1);
    if (code < 0) {
      at += 1;
      continue;
    }
    decoded += text.slice(from, at);
    // Tabs and line ends are spaces to SQL, and hide a mark as well as they do.
    const isSpace = code === 32 || (code >= 9 && code <= 13);
    if (!isSpace) decoded += String.fromCharCode(code);
    else if (!decoded.endsWith(' ')) decoded += ' ';
    at += 3;
    from = at;
  }
  return decoded + text.slice(from);
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
