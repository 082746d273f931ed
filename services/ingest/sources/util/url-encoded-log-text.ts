import { decodeBytes } from '../../text/decode-bytes.js';
import { undoPlainPercents } from './plain-escapes.js';

/**
 * Undoes the URL encoding that a log format adds to its fields. It is seen in two forms: bytes outside of visible ASCII as
 * `%HH` (RFC 1738), and form encoding, which writes a space as `+` and escapes punctuation too.
 */

/** A text that is no URL, a user agent say. Text with a space in it was not encoded. */
export function decodeLogText(text: string): string {
  if (text.includes(' ')) return text;
  return decode(text, !text.includes('%20'));
}

/** A URL. Its own percent-encoding stays: only one that is encoded as a whole, so that it has lost its slashes, is decoded. */
export function decodeLogUrl(text: string): string {
  return text.includes('/') ? text : decode(text, true);
}

/** Runs of %HH as UTF-8; other percent signs stay. @param spaces whether `+` is a space */
function decode(text: string, spaces: boolean): string {
  if (!text.includes('%')) return spaces ? text.replaceAll('+', ' ') : text;
  return undoPlainPercents(text, spaces) ?? decodeAll(spaces ? text.replaceAll('+', ' ') : text);
}

function decodeAll(text: string): string {
  return text.replace(/(?:%[0-9A-Fa-f]{2})+/g, (run) =>
    decodeBytes(Buffer.from(run.replaceAll('%', ''), 'hex')),
  );
}
