/** Decodes a page's bytes. Pure. */

/** Bytes in which a page may declare its encoding (WHATWG HTML, "prescan a byte stream"). */
const PRESCANNED = 1_024;
const NAMED = /charset\s{0,20}=\s{0,20}["']?([A-Za-z0-9._:-]{1,40})/i;

/**
 * The byte order mark overrides the header, and the header overrides the page's own declaration; the default is UTF-8. Invalid characters become U+FFFD.
 * Unknown encodings are ignored.
 * @param contentType the header
 */
export function decodeHtml(bytes: Uint8Array, contentType: string | null): string {
  const head = Buffer.from(bytes.subarray(0, PRESCANNED)).toString('latin1');
  const names = [
    markOf(bytes),
    NAMED.exec((contentType ?? '').slice(0, PRESCANNED))?.[1],
    NAMED.exec(head)?.[1],
  ];
  for (const name of names) {
    const decoder = name === undefined ? null : decoderOf(name);
    if (decoder !== null) return decoder.decode(bytes);
  }
  return new TextDecoder().decode(bytes);
}

function markOf([first, second, third]: Uint8Array): string | undefined {
  if (first === 0xef && second === 0xbb && third === 0xbf) return 'utf-8';
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  if (first === 0xfe && second === 0xff) return 'utf-16be';
  return undefined;
}

function decoderOf(name: string): TextDecoder | null {
  try {
    return new TextDecoder(name);
  } catch {
    return null;
  }
}
