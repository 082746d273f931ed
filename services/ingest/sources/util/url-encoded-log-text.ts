import { decodeBytes } from '../../text/decode-bytes.js';
import { undoPlainPercents } from './plain-escapes.js';

/**
 * Decodes the URL encoding that a log format adds to its fields. It has two forms: bytes outside visible ASCII as
 * `%HH` (RFC 1738), and form encoding, which writes a space as `+` and escapes punctuation too.
 */

/** Decodes text that is not a URL, such as a user agent. Text with a space was not encoded. */
export function decodeLogText(text: string): string {
  if (text.includes(' ')) return text;
  return decode(text, !text.includes('%20'));
}

/** Decodes a URL only if it is encoded as a whole, so that it has no slashes. Its own percent-encoding remains. */
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
