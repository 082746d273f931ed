/** A count of bytes before a message of syslog, its space and the first character of the message (RFC 6587 §3.4.1). */
const COUNT = /^\d{1,6} </;
const BEGIN_OF_COUNT = /^\d{1,6} ?$/;
const LONGEST_COUNT = 8;
const LINE_FEED = 10;
const CARRIAGE_RETURN = 13;
const lineFeed = Buffer.from('\n');

function mayBeCounted(chunk: Buffer): boolean {
  const begin = chunk.toString('latin1', 0, LONGEST_COUNT);
  return begin === '' || COUNT.test(begin) || BEGIN_OF_COUNT.test(begin);
}

export interface FrameCutter {
  /** The chunk with a line end between two counted messages, in pieces. */
  cut(chunk: Buffer): readonly Buffer[];
  /** Bytes that were buffered. */
  end(): Buffer;
}

/**
 * Makes each message that follows a count of its bytes a line, even if no line end separates two messages. If neither a count nor
 * a line end follows a message, the bytes up to the next line end stay as they are. Other text passes unchanged.
 */
export function createFrameCutter(): FrameCutter {
  /** Those of the current chunk. */
  let pieces: Buffer[] = [];
  /** Remaining bytes of the message. */
  let left = 0;
  /** An incomplete count. */
  let head = '';
  let state: 'first' | 'message ended' | 'line ended' | 'uncounted line' | 'no counts' = 'first';

  function takeHead(byte: number): void {
    head += String.fromCharCode(byte);
    if (BEGIN_OF_COUNT.test(head)) return;
    if (COUNT.test(head)) {
      if (state === 'message ended') pieces.push(lineFeed);
      left = Number.parseInt(head, 10) - 1;
      state = 'message ended';
    } else state = state === 'first' ? 'no counts' : 'uncounted line';
    pieces.push(Buffer.from(head, 'latin1'));
    head = '';
  }

  /** @returns index after the taken bytes */
  function take(chunk: Buffer, at: number): number {
    if (left > 0) {
      const end = Math.min(chunk.length, at + left);
      pieces.push(chunk.subarray(at, end));
      left -= end - at;
      return end;
    }
    if (state === 'uncounted line') {
      const lineEnd = chunk.indexOf(LINE_FEED, at);
      const end = lineEnd === -1 ? chunk.length : lineEnd + 1;
      pieces.push(chunk.subarray(at, end));
      if (lineEnd !== -1) state = 'line ended';
      return end;
    }
    const byte = chunk[at]!;
    if (head === '' && state !== 'first' && (byte === LINE_FEED || byte === CARRIAGE_RETURN)) {
      pieces.push(chunk.subarray(at, at + 1));
      if (byte === LINE_FEED) state = 'line ended';
    } else takeHead(byte);
    return at + 1;
  }

  return {
    cut(chunk) {
      // Other text stays in one piece: its first line may be plain.
      if (state === 'first' && head === '' && !mayBeCounted(chunk)) state = 'no counts';
      let at = 0;
      while (at < chunk.length && state !== 'no counts') at = take(chunk, at);
      if (at < chunk.length) pieces.push(at === 0 ? chunk : chunk.subarray(at));
      const whole = pieces;
      pieces = [];
      return whole;
    },
    end: () => Buffer.from(head, 'latin1'),
  };
}
