import type { Readable } from 'node:stream';
import { SECOND_MS } from '../../../shared/durations.js';

/** Whoever fetches nothing for so long, or stays so far behind the least rate, is let go: a range goes on from there. */
export const GRACE_MS = 60 * SECOND_MS;
/** Bytes a second. Sockets take in a megabyte before they say that they are slow, so that a smaller rate would be seen as standing still. */
export const LEAST_RATE = 32 * 1024;
const LOOK_MS = 5 * SECOND_MS;

export interface PacedOptions {
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Called once, however it ends. */
  readonly onEnd: () => void;
  /** Ends the connection: of a reader that waits for room in it nothing else is heard. */
  readonly giveUp: () => void;
}

/** The bytes as they are fetched. It ends itself, and what it reads, where they are fetched too slowly. */
export function pacedStream(
  bytes: Readable,
  { now, onEnd, giveUp }: PacedOptions,
): ReadableStream<Uint8Array> {
  const chunks = bytes[Symbol.asyncIterator]();
  const began = now();
  let fetchedAt = began;
  let sent = 0;
  let isOver = false;
  const timer = setInterval(() => {
    const behindMs = now() - began - (sent / LEAST_RATE) * SECOND_MS;
    if (now() - fetchedAt < GRACE_MS && behindMs < GRACE_MS) return;
    end();
    giveUp();
  }, LOOK_MS);
  timer.unref();

  function end(): void {
    if (isOver) return;
    isOver = true;
    clearInterval(timer);
    bytes.destroy();
    onEnd();
  }

  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        fetchedAt = now();
        try {
          if (isOver) throw new Error('the file was fetched too slowly');
          const { value, done } = await chunks.next();
          if (done === true) {
            const isWhole = !isOver;
            end();
            if (!isWhole) throw new Error('the file was fetched too slowly');
            controller.close();
            return;
          }
          sent += value.length;
          controller.enqueue(value);
        } catch (error) {
          end();
          controller.error(error);
        }
      },
      cancel: end,
    },
    { highWaterMark: 0 },
  );
}
