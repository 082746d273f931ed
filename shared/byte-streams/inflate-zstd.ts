import { setImmediate as nextTurn } from 'node:timers/promises';
import { openZstdContext, STEP_BYTES, type ZstdContext } from './zstd-engine.js';
import { readFrameHead } from './zstd-frame.js';

/** The compressed data is damaged, truncated or has too large a window. */
export class ZstdError extends Error {}

/** Largest window that RFC 9659 allows a sender; `zstd -19` needs as much. */
export const USUAL_WINDOW_BYTES = 8 * 1024 ** 2;

/**
 * Inflates zstd, frame after frame, in pieces of at most 128 KiB. Memory: the window, one chunk of the input and one
 * piece. A frame whose window is larger than `maxWindowBytes` is refused before memory is allocated for it. Yields to
 * the event loop between two pieces.
 * @throws ZstdError for damaged bytes, a window that is too large, or a body that ends within a frame.
 */
export async function* inflateZstd(
  chunks: AsyncIterable<Buffer>,
  { maxWindowBytes }: { readonly maxWindowBytes: number },
): AsyncGenerator<Buffer> {
  const context = await openZstdContext();
  let isSound = true;
  /** Bytes of an incomplete frame header; null: within a frame. */
  let head: Buffer | null = Buffer.alloc(0);
  try {
    for await (const chunk of chunks) {
      let rest: Buffer = chunk;
      while (rest.length > 0) {
        if (head !== null) {
          head = head.length === 0 ? rest : Buffer.concat([head, rest]);
          if (!admitFrame(head, maxWindowBytes)) break;
          rest = head;
          head = null;
        }
        const { read, ended } = yield* inflateSlice(context, rest.subarray(0, STEP_BYTES));
        rest = rest.subarray(read);
        if (ended) head = Buffer.alloc(0);
      }
    }
    if (head === null || head.length > 0) throw new ZstdError('unexpected end of zstd data');
  } catch (error) {
    isSound = false;
    throw error;
  } finally {
    context.close(isSound);
  }
}

/** Inflates one slice of the input, up to its end or the frame's. */
async function* inflateSlice(
  context: ZstdContext,
  slice: Buffer,
): AsyncGenerator<Buffer, { readonly read: number; readonly ended: boolean }> {
  for (let read = 0; ; ) {
    const step = decode(context, slice, read);
    read = step.read;
    if (step.output.length > 0) {
      yield step.output;
      await nextTurn();
    }
    if (step.state === 0) return { read, ended: true };
    if (read === slice.length && step.output.length < STEP_BYTES) return { read, ended: false };
  }
}

function decode(context: ZstdContext, slice: Buffer, read: number) {
  try {
    return context.step(slice, read);
  } catch (error) {
    throw new ZstdError((error as Error).message, { cause: error });
  }
}

/** @returns whether the frame header is complete. @throws ZstdError */
function admitFrame(bytes: Buffer, maxWindowBytes: number): boolean {
  let head: ReturnType<typeof readFrameHead>;
  try {
    head = readFrameHead(bytes);
  } catch (error) {
    throw new ZstdError((error as Error).message, { cause: error });
  }
  if (head === null) return false;
  if (head.windowBytes > maxWindowBytes) {
    throw new ZstdError(
      `a frame's window is ${head.windowBytes} bytes; at most ${maxWindowBytes} are accepted, compress without --long or --ultra`,
    );
  }
  return true;
}
