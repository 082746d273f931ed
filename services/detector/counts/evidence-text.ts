import { head } from '../../../shared/text-head.js';

/**
 * Most UTF-16 code units of a text in evidence. User agents are longer, since crawlers' names are at their
 * end.
 */
export const MAX_TEXT = 120;
export const MAX_AGENT = 200;

/** JSON escapes each control character as six characters, and people cannot read them. */
const CONTROL = /\p{Cc}/gu;

/**
 * The beginning of a request's text for alerts, with U+FFFD for each control character. It splits no
 * surrogate pair. The result is a copy, since a slice would keep the longer text in memory.
 * @param most UTF-16 code units
 */
export function evidenceText(text: string, most: number): string {
  return (text.length > most ? copyOf(head(text, most)) : text).replace(CONTROL, '\ufffd');
}

/** Copies through bytes, since V8 makes a slice refer to the whole text. */
const copyOf = (text: string) => Buffer.from(text).toString();
