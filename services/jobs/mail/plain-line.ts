import { spaceHidden } from '../../../shared/visible-text.js';

/** Makes an untrusted text one readable line. @param most UTF-16 code units; a cut text ends in `…` */
export function plainLine(text: string, most: number): string {
  // The part that is cut off need not be cleaned.
  const line = spaceHidden(wellFormed(text.slice(0, 4 * most))).trim();
  return line.length <= most ? line : `${wellFormed(line.slice(0, most - 1)).trimEnd()}…`;
}

/** Replaces unpaired surrogates by U+FFFD. */
const wellFormed = (text: string) => Buffer.from(text).toString();
