import type { Socket } from 'node:net';

/**
 * Skips informational responses (RFC 9110 §15.2). A server may send any number of them before the final response, and
 * `100 Continue` even to clients that did not request it. Such a response breaks a connection of undici.
 */

/** Most informational responses before a final one. Beyond this, the fetch fails. */
const MOST_INFORMATIONAL = 10;
/** Longest header of one of them, in bytes. */
const LONGEST_HEAD = 16_384;
const HEAD_END = '\r\n\r\n';
const HTTP = 'HTTP/1.';
/** Bytes of a header that decide whether it is informational: `HTTP/1.1 100`. */
const TELLING = 'HTTP/1.1 100'.length;
const SWITCHING_PROTOCOLS = '101';

/**
 * Filters the bytes of a server, from the first byte on.
 * @returns the bytes to read: none while undecided; from the first final header on, all bytes unchanged.
 */
export function createInformationalFilter(): (piece: Buffer) => Buffer {
  let held: Buffer | null = Buffer.alloc(0);
  let skipped = 0;
  const passed = (): Buffer => {
    const rest = held!;
    held = null;
    return rest;
  };
  return (piece) => {
    if (held === null) return piece;
    held = Buffer.concat([held, piece]);
    while (held.length > 0) {
      const start = held.toString('latin1', 0, TELLING);
      if (start.slice(0, HTTP.length) !== HTTP.slice(0, start.length)) return passed();
      if (start.length < TELLING) break;
      const isOne = start.slice(8, 10) === ' 1' && !start.endsWith(SWITCHING_PROTOCOLS);
      if (!isOne || skipped === MOST_INFORMATIONAL) return passed();
      const end = held.subarray(0, LONGEST_HEAD).indexOf(HEAD_END);
      if (end < 0) return held.length > LONGEST_HEAD ? passed() : Buffer.alloc(0);
      held = held.subarray(end + HEAD_END.length);
      skipped += 1;
    }
    return Buffer.alloc(0);
  };
}

/** Hides informational responses from the reader of a socket. Nothing may have been read from it yet. */
export function skipInformational(socket: Socket): void {
  const read = socket.read.bind(socket);
  const filter = createInformationalFilter();
  socket.read = (size) => {
    for (;;) {
      const piece: Buffer | null = read(size);
      if (piece === null) return null;
      const kept = filter(piece);
      if (kept.length > 0) return kept;
    }
  };
}
