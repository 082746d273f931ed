import { setTimeout as sleep } from 'node:timers/promises';
import type { DemoFormat } from '../../../deploy/demo/traffic/formats.js';
import type { Upload } from '../uploads.js';
import type { MakeUploads } from './make-uploads.js';

/**
 * Uploads for the next seconds at this number of lines a second. Those of a log file are always the same.
 * Those of a stream are new, and are returned when their time begins.
 */
export type UploadSupply = (seconds: number, linesPerSecond: number) => Promise<readonly Upload[]>;

/** Sent repeatedly: each pass has the same hours. */
export function fileSupply(uploads: readonly Upload[]): UploadSupply {
  return async () => uploads;
}

/** Used until the first supply was created: a high estimate. */
const GUESSED_MS_A_LINE = 0.012;
/** Safety factor on the creation time, which varies. */
const SPARE = 1.1;

/**
 * The uploads of a log shipper on a busy website: the requests in order, repeated from the first, each with
 * its sending time at that rate. A delayed sender sends them later. Created ahead, so that the sender only
 * sends.
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
