import { type Readable, Transform } from 'node:stream';

/** A header whose value is new in each response, so that the rows of a file cannot contain it. */
export const EXCEPTION_TAG_HEADER = 'x-clickhouse-exception-tag';

/**
 * Detects an exception that a server writes after the rows if it fails after sending the header (status 200). Such
 * bytes are no file.
 * @param tag value of the header; undefined: the server marks no exceptions, and the bytes pass unchanged.
 * @returns the bytes; the stream fails if they end with an exception.
 */
export function refuseException(bytes: Readable, tag: string | undefined): Readable {
  if (tag === undefined) return bytes;
  const mark = Buffer.from(` ${tag}\r\n__exception__\r\n`);
  let end = Buffer.alloc(0);
  const watched = new Transform({
    transform(piece: Buffer, _encoding, done) {
      end = Buffer.concat([end, piece.subarray(-mark.length)]).subarray(-mark.length);
      done(null, piece);
    },
    flush: (done) => done(end.equals(mark) ? new Error('the store failed within its answer') : null),
  });
  bytes.once('error', (error) => watched.destroy(error));
  watched.once('close', () => bytes.destroy());
  return bytes.pipe(watched);
}
