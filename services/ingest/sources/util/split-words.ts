const SPACE = 32;
const QUOTE = 34;

/**
 * The words of a line, up to a limit. A word ends at the next space, or is a text in quotes or brackets, without
 * these. Escapes remain. Null if a quoted text has no end.
 */
export function splitWords(line: string, from: number, most: number): string[] | null {
  const words: string[] = [];
  for (let at = from; at < line.length && words.length < most; ) {
    const code = line.charCodeAt(at);
    if (code === SPACE) {
      at++;
      continue;
    }
    const isQuoted = code === QUOTE;
    let end = isQuoted ? closingQuote(line, at + 1) : line.indexOf(' ', at);
    if (code === 91 /* [ */) {
      const bracket = line.indexOf('] ', at);
      if (bracket !== -1) {
        words.push(line.slice(at + 1, bracket));
        at = bracket + 2;
        continue;
      }
    }
    if (end === -1) {
      if (isQuoted) return null;
      end = line.length;
    }
    words.push(line.slice(isQuoted ? at + 1 : at, end));
    at = end + 1;
  }
  return words;
}

/** A field's closing quote: unescaped, and the last character of its word. */
export function closingQuote(line: string, from: number): number {
  let at = line.indexOf('"', from);
  while (at !== -1 && !(isBoundary(line.charCodeAt(at + 1)) && !isEscaped(line, at, from))) {
    at = line.indexOf('"', at + 1);
  }
  return at;
}

/** Whether an odd number of backslashes precedes `at`. */
export function isEscaped(line: string, at: number, from: number): boolean {
  let start = at;
  while (start > from && line.charCodeAt(start - 1) === 92) start--;
  return (at - start) % 2 === 1;
}

/** A space or the end of the line (charCodeAt gives NaN there). */
export function isBoundary(code: number): boolean {
  return code === SPACE || Number.isNaN(code);
}
