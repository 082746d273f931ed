/**
 * An `&` that begins no entity of XML's own, as sitemaps hold in the query strings of their URLs. The parser makes an Error of each, which costs as much
 * as some seventy plain characters, and swallows the character behind it; so it is given another character in its place.
 */

/** XML allows it in no document, not even as an entity. */
const MARK = '\uffff';

/** Bounded, so that the search for the end of each `&` is. A number with more zeros before it is left as it is written. */
const BARE = /&(?!(?:amp|lt|gt|quot|apos|#\d{1,12}|#x[\da-f]{1,12});)/gi;
const LONGEST_ENTITY = '&#x000000000000;'.length;

/** What has the bare ampersands of a document marked, which comes in pieces. */
export function createAmpersandMarker() {
  let held = '';
  return {
    /** The piece with those of the one before it that could not be told yet. */
    mark(piece: string): string {
      const text = held + piece;
      const last = text.lastIndexOf('&');
      const isOpen = last !== -1 && text.length - last < LONGEST_ENTITY && !text.includes(';', last);
      held = isOpen ? text.slice(last) : '';
      return (isOpen ? text.slice(0, last) : text).replace(BARE, MARK);
    },
    /** What was held back. */
    end: (): string => held.replace(BARE, MARK),
  };
}

/** The text as the document has it. */
export function unmarkAmpersands(text: string): string {
  return text.replaceAll(MARK, '&');
}
