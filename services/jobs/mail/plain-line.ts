/**
 * Control characters, line and paragraph separators, and invisible or direction-changing characters. They can end a line, or show a person another text
 * than a program reads.
 */
const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu;

/** Makes an untrusted text one readable line. @param most UTF-16 code units; a cut text ends in `…` */
export function plainLine(text: string, most: number): string {
  // The part that is cut off need not be cleaned.
  const line = wellFormed(text.slice(0, 4 * most))
    .replace(UNPRINTABLE, ' ')
    .trim();
  return line.length <= most ? line : `${wellFormed(line.slice(0, most - 1)).trimEnd()}…`;
}

/** Replaces unpaired surrogates by U+FFFD. */
const wellFormed = (text: string) => Buffer.from(text).toString();
