import { head } from '../../text-head.js';

/**
 * Cuts long untrusted texts in lists of single requests. A path, a user agent and a referrer may have 8,192 characters each, and a control
 * character takes six bytes of JSON: 500 such rows had 32 MB. A text is cut by its length in JSON, which bounds the size of a page.
 */

/** Maximum bytes of JSON of one text in a list, without its quotes. */
export const MOST_TEXT_BYTES = 2_000;
/** Last character of a text that was cut. */
export const CUT_MARK = '…';

/** Characters of a cut text: if few need escapes, and for any text. */
const MOST_CHARACTERS = 1_900;
const FEWEST_CHARACTERS = 330;

const QUOTES = `'"\\\\'`;
const CONTROLS = `char(${Array.from({ length: 32 }, (_, code) => code).join(', ')})`;

/** A text as in lists. */
export function shortText(text: string): string {
  if (text.length <= FEWEST_CHARACTERS) return text;
  const shown = text.length <= MOST_CHARACTERS ? text : cutAt(text, MOST_CHARACTERS);
  const bytes = Buffer.byteLength(JSON.stringify(shown)) - 2;
  return bytes <= MOST_TEXT_BYTES ? shown : cutAt(text, FEWEST_CHARACTERS);
}

const cutAt = (text: string, length: number) => `${head(text, length)}${CUT_MARK}`;

/** SQL of a text as in lists. @param text SQL */
export function cutText(text: string): string {
  const first = (count: number) => `substringUTF8(${text}, 1, ${count})`;
  const shown = `if(lengthUTF8(${text}) <= ${MOST_CHARACTERS}, ${text}, concat(${first(MOST_CHARACTERS)}, '${CUT_MARK}'))`;
  return `multiIf(length(${text}) <= ${FEWEST_CHARACTERS}, ${text}, ${jsonBytes(shown)} <= ${MOST_TEXT_BYTES}, ${shown}, concat(${first(FEWEST_CHARACTERS)}, '${CUT_MARK}'))`;
}

/** At least the length in JSON, except for U+2028 and U+2029, which only the engine escapes. `toJSONString` takes ten times as long. */
function jsonBytes(text: string): string {
  const count = (characters: string) => `(length(${text}) - length(translate(${text}, ${characters}, '')))`;
  return `length(${text}) + ${count(QUOTES)} + 5 * ${count(CONTROLS)}`;
}
