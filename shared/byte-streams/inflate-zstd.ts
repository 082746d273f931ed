import { setImmediate as nextTurn } from 'node:timers/promises';
import { openZstdContext, STEP_BYTES, type ZstdContext } from './zstd-engine.js';
import { readFrameHead } from './zstd-frame.js';

/** What is wrong with the compressed bytes. */
export class ZstdError extends Error {}

/** What a sender may ask for by RFC 9659; `zstd -19` asks for as much. */
export const USUAL_WINDOW_BYTES = 8 * 1024 ** 2;

/**
 * Inflates zstd, frame after frame, in pieces of at most 128 KiB. Holds the window, a chunk of the input and a piece. A frame whose window is
 * larger than `maxWindowBytes` is refused before anything is allocated for it. Other work gets its turn between two pieces.
 * @throws ZstdError for damaged bytes, a window that is too large, or a body that ends within a frame.
 */
export async function* inflateZstd(
  chunks: AsyncIterable<Buffer>,
  { maxWindowBytes }: { readonly maxWindowBytes: number },
): AsyncGenerator<Buffer> {
  const context = await openZstdContext();
  let isSound = true;
  /** Of a frame whose head is not complete; null: within a frame. */
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

/** One slice of the input, to its end or that of the frame. */
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

/** @returns whether the frame's head is complete. @throws ZstdError */
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
      `a frame's window is ${head.windowBytes} bytes; at most ${maxWindowBytes} are taken, compress without --long or --ultra`,
    );
  }
  return true;
}
