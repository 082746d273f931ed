/**
 * Marks each `&` that begins no entity of XML, which sitemaps contain in the query strings of URLs. The parser creates an Error for each,
 * which costs as much as about seventy plain characters, and drops the next character. So it is replaced by another character.
 */

/** A character that no XML document may contain, not even as an entity. */
const MARK = '\uffff';

/** Bounded, so that the search from each `&` is bounded. A number with more leading zeros is not matched. */
const BARE = /&(?!(?:amp|lt|gt|quot|apos|#\d{1,12}|#x[\da-f]{1,12});)/gi;
const LONGEST_ENTITY = '&#x000000000000;'.length;

/** Marks the bare ampersands of a document that arrives in pieces. */
export function createAmpersandMarker() {
  let undecided = '';
  return {
    /** Returns the piece, preceded by the undecided end of the previous one. */
    mark(piece: string): string {
      const text = undecided + piece;
      const last = text.lastIndexOf('&');
      const isOpen = last !== -1 && text.length - last < LONGEST_ENTITY && !text.includes(';', last);
      undecided = isOpen ? text.slice(last) : '';
      return (isOpen ? text.slice(0, last) : text).replace(BARE, MARK);
    },
    /** The undecided end of the last piece. */
    end: (): string => undecided.replace(BARE, MARK),
  };
}

/** Restores the text of the document. */
export function unmarkAmpersands(text: string): string {
  return text.replaceAll(MARK, '&');
}
