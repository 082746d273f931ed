/** Longest texts in evidence, in UTF-16 code units. User agents are longer, since the names of crawlers are at their end. */
export const MAX_TEXT = 120;
export const MAX_AGENT = 200;

/** JSON writes each control character as six characters, and nobody can read it. */
const CONTROL = /\p{Cc}/gu;

/**
 * A text of a request as alerts show it: its first UTF-16 code units, with U+FFFD for each control character. The result is a copy: a slice would
 * keep the longer text in memory. No pair of surrogates is cut in two. @param most code units
 */
export function evidenceText(text: string, most: number): string {
  return (text.length > most ? beginning(text, most) : text).replace(CONTROL, '\ufffd');
}

/** Through bytes, since V8 makes a slice refer to the whole text. */
function beginning(text: string, most: number): string {
  const last = text.charCodeAt(most - 1);
  const isSplit = last >= 0xd800 && last < 0xdc00;
  return Buffer.from(text.slice(0, isSplit ? most - 1 : most)).toString();
}
