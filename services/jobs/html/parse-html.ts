import { Parser } from 'htmlparser2';
import type { Steps } from '../../../shared/pacing/turns.js';

/** An element's attributes by name in lower case, the first of a name; values without character references. */
export type Attributes = Readonly<Record<string, string>>;

export interface HtmlEvents {
  onOpen(name: string, attributes: Attributes): void;
  /** Of one text there may be several pieces. */
  onText(text: string): void;
  onClose(name: string): void;
}

/** The parser looks through its open elements at each end tag, so their number is bounded. It is checked after each piece. 2 MiB of end tags at this depth take a second. */
const MOST_DEPTH = 1_000;
const PIECE = 16 * 1_024;

/**
 * Reads HTML of any length in time in proportion to it, a piece at each step.
 * @returns false where the page nests elements deeper than is read: what follows was not looked at.
 */
export function* parseHtml(html: string, { onOpen, onText, onClose }: HtmlEvents): Steps<boolean> {
  let depth = 0;
  const parser = new Parser({
    onopentag(name, attributes) {
      depth += 1;
      onOpen(name, attributes);
    },
    onclosetag(name) {
      depth -= 1;
      onClose(name);
    },
    ontext: onText,
  });
  let at = 0;
  for (; at < html.length && depth <= MOST_DEPTH; at += PIECE) {
    parser.write(html.slice(at, at + PIECE));
    yield;
  }
  parser.end();
  return at >= html.length;
}
