/** Longer texts, and texts with characters beyond ASCII, are left to the callers' regular expressions. */
const LONGEST = 4_096;
const bytes = Buffer.alloc(LONGEST);

const [PERCENT, PLUS, SPACE, BACKSLASH, LETTER_X] = [37, 43, 32, 92, 120];

/**
 * Decodes each `%HH` of the text if all are ASCII, as in most texts. It writes into bytes, which is much cheaper than
 * a replacement of each escape.
 * @param spaces whether `+` is a space
 * @returns null if a percent sign is not such an escape, or the text is not ASCII or too long
 */
export function undoPlainPercents(text: string, spaces: boolean): string | null {
  const length = text.length;
  if (length > LONGEST) return null;
  let end = 0;
  for (let at = 0; at < length; at++) {
    let code = text.charCodeAt(at);
    if (code === PERCENT) {
      code = readHexByte(text, at + 1);
      at += 2;
    } else if (spaces && code === PLUS) code = SPACE;
    if (!(code < 128)) return null;
    bytes[end++] = code;
  }
  return bytes.toString('latin1', 0, end);
}

/** Meaning of the letter after a backslash; 0 for none. */
const letters = new Uint8Array(128);
for (const [letter, code] of [
  ['"', 34],
  ['\\', BACKSLASH],
  ['b', 8],
  ['n', 10],
  ['r', 13],
  ['t', 9],
  ['v', 11],
] as const)
  letters[letter.charCodeAt(0)] = code;

/**
 * Decodes the escapes of nginx and Apache if each `\xHH` is ASCII.
 * @returns null if one is not, or the text is not ASCII or too long
 */
export function undoPlainBackslashes(text: string): string | null {
  const length = text.length;
  if (length > LONGEST) return null;
  let end = 0;
  for (let at = 0; at < length; at++) {
    let code = text.charCodeAt(at);
    if (code === BACKSLASH && at + 1 < length) {
      const letter = text.charCodeAt(at + 1);
      const meant = letter < 128 ? letters[letter]! : 0;
      if (meant !== 0) {
        code = meant;
        at++;
      } else if (letter === LETTER_X) {
        const byte = readHexByte(text, at + 2);
        // An invalid escape remains unchanged.
        if (!Number.isNaN(byte)) {
          code = byte;
          at += 3;
        }
      }
    }
    if (!(code < 128)) return null;
    bytes[end++] = code;
  }
  return bytes.toString('latin1', 0, end);
}

/** Value of two hexadecimal digits; NaN for other text. */
function readHexByte(text: string, at: number): number {
  return hexDigit(text.charCodeAt(at)) * 16 + hexDigit(text.charCodeAt(at + 1));
}

function hexDigit(code: number): number {
  if (code >= 48 && code <= 57) return code - 48;
  const lower = code | 32;
  return lower >= 97 && lower <= 102 ? lower - 87 : Number.NaN;
}
