import type { DemoRequest } from '../../../deploy/demo/traffic/demo-request.js';
import { type DemoFormat, formatters } from '../../../deploy/demo/traffic/formats.js';
import { packLines, type Upload } from '../uploads.js';

/** A piece of a stream. */
export interface StreamPiece {
  readonly format: DemoFormat;
  readonly linesPerUpload: number;
  /** Index of its first request. After the last request the stream starts again. */
  readonly first: number;
  readonly lines: number;
  /** Time of its first line, milliseconds since the epoch. */
  readonly start: number;
  readonly linesPerSecond: number;
}

export type MakeUploads = (piece: StreamPiece) => Promise<Upload[]>;

/** @param requests at least one */
export function createUploadMaker(requests: readonly DemoRequest[]): MakeUploads {
  function* linesOf({ format, first, lines, start, linesPerSecond }: StreamPiece) {
    for (let line = 0; line < lines; line += 1) {
      const timestamp = start + Math.floor((1000 * line) / linesPerSecond);
      yield formatters[format]({ ...requests[(first + line) % requests.length]!, timestamp });
    }
  }

  return (piece) => packLines(linesOf(piece), piece.linesPerUpload);
}
