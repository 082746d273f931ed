import { setTimeout as sleep } from 'node:timers/promises';
import type { DemoFormat } from '../../../deploy/demo/traffic/formats.js';
import type { Upload } from '../uploads.js';
import type { MakeUploads } from './make-uploads.js';

/**
 * Uploads for so many seconds to come at so many lines a second. A log file's are the same each time; a stream's are new ones, and are
 * given when their time begins.
 */
export type UploadSupply = (seconds: number, linesPerSecond: number) => Promise<readonly Upload[]>;

/** Sent again and again: each pass tells the same hours once more. */
export function fileSupply(uploads: readonly Upload[]): UploadSupply {
  return async () => uploads;
}

/** Until a first supply was made: a guess that is on the long side. */
const GUESSED_MS_A_LINE = 0.012;
/** Factor on the time that making takes: it varies. */
const SPARE = 1.1;

/**
 * What a log shipper sends that follows a busy website: the requests one after another, and from the first again, each with the time at
 * which it is sent at that rate. A sender that is held back sends them later. Made ahead, so that the sender has nothing to do but to send.
 */
export function streamSupply(make: MakeUploads, format: DemoFormat, linesPerUpload: number): UploadSupply {
  let millisecondsPerLine = GUESSED_MS_A_LINE;
  let first = 0;

  return async (seconds, linesPerSecond) => {
    const lines = Math.max(1, Math.ceil(seconds * linesPerSecond));
    const began = Date.now();
    const start = began + Math.ceil(SPARE * millisecondsPerLine * lines);
    const uploads = await make({ format, linesPerUpload, first, lines, start, linesPerSecond });
    first += lines;
    millisecondsPerLine = (Date.now() - began) / lines;
    await sleep(Math.max(0, start - Date.now()));
    return uploads;
  };
}
