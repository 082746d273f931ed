import type { Socket } from 'node:net';

/**
 * Informational answers (RFC 9110 §15.2): a server may send any number before the answer itself, and `100 Continue` also to who did not ask for it, which
 * undici takes for a broken connection.
 */

/** Of one answer; who sends more has no answer. */
const MOST_INFORMATIONAL = 10;
/** Of one of them, in bytes. */
const LONGEST_HEAD = 16_384;
const HEAD_END = '\r\n\r\n';
const HTTP = 'HTTP/1.';
/** As much of a head as says whether it is one of these: `HTTP/1.1 100`. */
const TELLING = 'HTTP/1.1 100'.length;
const SWITCHING_PROTOCOLS = '101';

/**
 * Takes pieces of what a server sends, from its first byte on.
 * @returns what is to be read of them: nothing while it is open what they are, and everything as it came from the first head on that is none.
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

/** Has whoever reads the socket, which was read by nobody before, see no informational answers. */
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
