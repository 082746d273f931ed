import { randomUUID } from 'node:crypto';
import { createWriteStream, mkdirSync, rmSync } from 'node:fs';
import { unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { type Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { tooLong } from './engine-error.js';

/** Rows of an insert in a file that the engine reads. */
export interface SpooledRows {
  readonly path: string;
  readonly bytes: number;
  remove(): Promise<void>;
}

export interface Spool {
  /** @returns a path for an answer that the engine writes to a file; the caller removes the file. */
  answerPath(): string;
  /** @throws EngineError if the rows exceed `maxBytes`; the file is removed then. */
  store(rows: Readable, maxBytes: number): Promise<SpooledRows>;
}

/**
 * Stores the rows of running inserts in files next to the engine's data. Rows can't be part of the statement: the engine (26.7)
 * treats a blank line as their end, and the text after it as the next statement. Rows would be lost or even run. Parsing from
 * a file is also a third faster.
 *
 * Files left by a crash are removed: their inserts were never acknowledged.
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
