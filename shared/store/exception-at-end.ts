import { type Readable, Transform } from 'node:stream';

/** What a server tells by a header, anew with each answer: the texts of a file can't hold it. */
export const EXCEPTION_TAG_HEADER = 'x-clickhouse-exception-tag';

/**
 * A server that fails when it has sent the head of an answer (status 200) writes the exception behind the rows. Such bytes are no file.
 * @param tag of the header; undefined: the server marks no exceptions, and the bytes pass as they are.
 * @returns the bytes; where they end with an exception it fails instead of ending.
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
