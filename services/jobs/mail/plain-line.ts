/**
 * Control characters, separators of lines and paragraphs, and what can not be seen or turns the writing round: a text with these says one
 * thing to a program and another to whoever reads it, and some end the line that it stands in.
 */
const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu;

/** A text of anybody's as one line that a person can read. @param most UTF-16 code units; what is cut ends in `…`. */
export function plainLine(text: string, most: number): string {
  // What is cut off anyway need not be looked at.
  const line = wellFormed(text.slice(0, 4 * most))
    .replace(UNPRINTABLE, ' ')
    .trim();
  return line.length <= most ? line : `${wellFormed(line.slice(0, most - 1)).trimEnd()}…`;
}

/** Half of a surrogate pair becomes U+FFFD. */
const wellFormed = (text: string) => Buffer.from(text).toString();
