import { randomUUID } from 'node:crypto';
import { createWriteStream, mkdirSync, rmSync } from 'node:fs';
import { unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { type Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { tooLong } from './engine-error.js';

/** An insert's rows in a file, which the engine reads by itself. */
export interface SpooledRows {
  readonly path: string;
  readonly bytes: number;
  remove(): Promise<void>;
}

export interface Spool {
  /** A path for an answer that the engine writes to a file by itself; whoever asks for it removes the file. */
  answerPath(): string;
  /** @throws EngineError when there is more than `maxBytes`; nothing is left behind then. */
  store(rows: Readable, maxBytes: number): Promise<SpooledRows>;
}

/**
 * Keeps the rows of running inserts beside the engine's data. They can't go with the statement: the engine takes a
 * blank line in them for their end and what follows for the next statement, so that rows are lost or, worse, run
 * (measured on 26.7). From a file it also parses faster: 5.2 against 7.8 µs a row of `requests`.
 *
 * Files that a crash left behind are removed: their inserts were never acknowledged.
 */
export function openSpool(directory: string): Spool {
  rmSync(directory, { recursive: true, force: true });
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  return {
    answerPath: () => join(directory, randomUUID()),
    async store(rows, maxBytes) {
      const path = join(directory, randomUUID());
      const remove = () => unlink(path).catch(() => {});
      let bytes = 0;
      const count = new Transform({
        transform(chunk: Buffer, _encoding, done) {
          bytes += chunk.length;
          if (bytes > maxBytes) done(tooLong(maxBytes));
          else done(null, chunk);
        },
      });
      try {
        await pipeline(rows, count, createWriteStream(path, { mode: 0o600, highWaterMark: 1024 ** 2 }));
      } catch (error) {
        await remove();
        throw error;
      }
      return { path, bytes, remove };
    },
  };
}
