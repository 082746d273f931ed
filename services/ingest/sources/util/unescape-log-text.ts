import { decodeBytes } from '../../text/decode-bytes.js';
import { undoPlainBackslashes } from './plain-escapes.js';

/**
 * Undoes the escapes of nginx and Apache: `\xHH` is a byte of UTF-8, `\"` and `\\` themselves, `\n` and similar
 * escapes control characters. An unknown escape remains. Text without a backslash is returned unchanged.
 */
export function unescapeLogText(text: string): string {
  const first = text.indexOf('\\');
  if (first === -1) return text;
  return undoPlainBackslashes(text) ?? undoAll(text, first);
}

/**
 * Decodes only the escapes of bytes (`\xHH`) in the target of a record from such a server's line. Clients send no
 * unescaped backslash, and the shipper has decoded the other escapes.
 */
export function unescapeBytes(target: string): string {
  return target.includes('\\x') ? target.replace(/(?:\\x[0-9A-Fa-f]{2})+/g, textOfRun) : target;
}

function undoAll(text: string, first: number): string {
  // Whole runs of \xHH are decoded together: one character may take several bytes.
  return (
    text.slice(0, first) +
    text
      .slice(first)
      .replace(/(?:\\x[0-9A-Fa-f]{2})+|\\(["\\bnrtv])/g, (run: string, letter?: string) =>
        letter === undefined ? textOfRun(run) : letters.get(letter)!,
      )
  );
}

const letters: ReadonlyMap<string, string> = new Map([
  ['"', '"'],
  ['\\', '\\'],
  ['b', '\b'],
  ['n', '\n'],
  ['r', '\r'],
  ['t', '\t'],
  ['v', '\v'],
]);

function textOfRun(run: string): string {
  return decodeBytes(Buffer.from(run.replaceAll('\\x', ''), 'hex'));
}
