import { Parser } from 'htmlparser2';
import type { Steps } from '../../../shared/pacing/turns.js';

/** An element's attributes by name in lower case, the first of a name; values with decoded character references. */
export type Attributes = Readonly<Record<string, string>>;

export interface HtmlEvents {
  onOpen(name: string, attributes: Attributes): void;
  /** One text may come in several pieces. */
  onText(text: string): void;
  onClose(name: string): void;
}

/** The parser searches its open elements at each end tag, so their number is limited. It is checked after each piece. 2 MiB of end tags at this depth take a second. */
const MOST_DEPTH = 1_000;
const PIECE = 16 * 1_024;

/**
 * Reads HTML of any length in linear time, a piece at each step.
 * @returns false if the page nests elements more deeply than the limit; the rest is not read
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
