import { createControlStripper } from '../../../shared/byte-streams/strip-controls.js';
import { PublicError } from '../../../shared/errors.js';
import type { PlainLineReader } from '../sources/util/source.js';
import { createFrameCutter } from './cut-frames.js';
import { createJsonBody } from './open-json.js';
import type { JsonHandler } from './split-json-lines.js';
import { createLineSplitter, type LineHandler } from './split-lines.js';
import { createOtlpSplitter } from './split-otlp.js';
import type { Splitter } from './splitter.js';

/** Receives the parts of a body: JSON records or lines of text. */
export interface BodyHandler extends JsonHandler {
  onLine(line: string, number: number): void;
  /** Called after the last record or line. */
  onEnd?(): void;
  /** See {@link LineHandler}. */
  readonly plainLines?: PlainLineReader | null;
}

export interface SplitOptions {
  readonly maxLineBytes: number;
  /**
   * The form that source or content type leave no doubt of; null: the first bytes decide. Other content types are too
   * often wrong.
   */
  readonly shape: 'lines' | 'otlp' | null;
}

const byteOrderMark = [0xef, 0xbb, 0xbf];
const OPEN_OBJECT = 123;
const OPEN_LIST = 91;
const COMMA = 44;

/** Chooses the form by the first bytes. `onChunk` throws PublicError (415) if no text begins with them. */
export function createBodySplitter(options: SplitOptions, handler: BodyHandler): Splitter {
  const splitter =
    options.shape === 'otlp'
      ? createOtlpSplitter(options.maxLineBytes, handler)
      : createCleanedSplitter(options, handler);
  return {
    onChunk: (chunk) => splitter.onChunk(chunk),
    onEnd(cut) {
      splitter.onEnd(cut);
      handler.onEnd?.();
    },
  };
}

/** Splits text without the counts and control characters that carriers put between lines. */
function createCleanedSplitter(options: SplitOptions, handler: BodyHandler): Splitter {
  const frames = createFrameCutter();
  const controls = createControlStripper();
  const text = createTextSplitter(options, handler);
  return {
    onChunk(chunk) {
      for (const piece of frames.cut(chunk)) text.onChunk(controls.strip(piece));
    },
    onEnd(cut) {
      for (const rest of [controls.strip(frames.end()), controls.end()])
        if (rest.length > 0) text.onChunk(rest);
      text.onEnd(cut);
    },
  };
}

function createTextSplitter(options: SplitOptions, handler: BodyHandler): Splitter {
  let splitter: Splitter | null = null;
  let line = 1;
  let offset = 0;
  /**
   * Whether an opening bracket was read and not passed on. An array begins with it, and so do log lines that begin
   * with a time.
   */
  let bracket = false;

  function choose(shape: 'json' | 'lines'): Splitter {
    if (shape === 'json') return createJsonBody(options.maxLineBytes, handler, line);
    const lines: LineHandler = {
      onLine: handler.onLine,
      onInvalid: handler.onInvalid,
      get plainLines() {
        return handler.plainLines ?? null;
      },
    };
    return createLineSplitter(options.maxLineBytes, lines, line);
  }

  function begin(shape: 'json' | 'lines', rest: Buffer): void {
    splitter = choose(options.shape === 'lines' ? 'lines' : shape);
    if (bracket) splitter.onChunk(Buffer.from('['));
    splitter.onChunk(rest);
  }

  return {
    onChunk(chunk) {
      if (splitter !== null) return splitter.onChunk(chunk);
      for (let at = 0; at < chunk.length; at++, offset++) {
        const byte = chunk[at]!;
        if (offset < 3 && byte === byteOrderMark[offset]) continue;
        if (byte === 10 && !bracket) line++;
        if (byte === 32 || (byte >= 9 && byte <= 13)) continue;
        if (bracket) return begin(isDigit(byte) ? 'lines' : 'json', chunk.subarray(at));
        refuseBinary(byte);
        // A cut list may begin with a comma.
        if (byte === COMMA) continue;
        if (byte === OPEN_LIST) bracket = true;
        else return begin(byte === OPEN_OBJECT ? 'json' : 'lines', chunk.subarray(at));
      }
    },
    onEnd(cut) {
      if (splitter === null && bracket) begin('json', Buffer.alloc(0));
      splitter?.onEnd(cut);
    },
  };
}

const isDigit = (byte: number) => byte >= 48 && byte <= 57;

/** Refuses first bytes that begin no log line: MessagePack's maps and arrays, control characters, and invalid UTF-8. */
function refuseBinary(byte: number): void {
  if (byte === 0xff || byte === 0xfe) {
    throw new PublicError('unsupported_media_type', 'The body is UTF-16. Send UTF-8.');
  }
  const isText = byte >= 32 && !(byte >= 0x80 && byte <= 0x9f) && !(byte >= 0xdc && byte <= 0xdf);
  if (isText && byte < 0xf8) return;
  throw new PublicError(
    'unsupported_media_type',
    'The body is binary (MessagePack, or compressed without a Content-Encoding that says so). Send newline-delimited JSON, a JSON array or plain log lines.',
  );
}
