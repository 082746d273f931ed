import type { Readable } from 'node:stream';
import { type Context, Hono } from 'hono';
import { PublicError } from '../../../shared/errors.js';
import { contentTypes } from '../../../shared/files/file-kind.js';
import { isFileKey } from '../../../shared/files/file-store.js';
import { FILES_PATH, verifyFile } from '../../../shared/files/signed-link.js';
import { createLimiter, type Limiter } from '../../../shared/pacing/limiter.js';
import type { ApiEnv } from '../middleware/env.js';
import type { ApiServices } from '../operation/operation.js';
import { type ByteRange, readRange } from './byte-range.js';

const contentTypeOf = new Map<string, string>(Object.entries(contentTypes));

/** Limits of concurrent downloads, in total and per organisation: each needs a socket, an open file and buffers. */
const PLACES = { most: 64, mostOfOwner: 4 };
const RETRY_SECONDS = 10;

/** Serves files of a folder to anyone with a signed address. A bucket serves its own files. */
export function fileRoutes(
  { files, control }: Pick<ApiServices, 'files' | 'control'>,
  now: () => number,
): Hono<ApiEnv> {
  const routes = new Hono<ApiEnv>();
  const local = files?.local ?? null;
  if (local === null) return routes;
  const places = createLimiter(PLACES);
  routes.get(`${FILES_PATH}/*`, async (c) => {
    c.header('Cache-Control', 'private, no-store');
    const key = c.req.path.slice(FILES_PATH.length + 1);
    const { expires, name, signature } = c.req.query();
    const signed = isFileKey(key) ? verifyFile(local.secret, { key, expires, name, signature }, now()) : null;
    const stored = signed === null ? null : await local.stat(key);
    if (signed === null || stored === null)
      throw new PublicError(
        'not_found',
        'There is no such file, or its address has expired: request a new one from the API.',
      );
    const [websiteId = '', , exportId = ''] = key.split('/');
    const state = control.state();
    const file = state.exports.get(exportId)?.file;
    const etag = file?.key === key ? `"${file.sha256}"` : null;
    const range = rangeOf(c, stored.bytes, etag);
    if (range === 'unsatisfiable') {
      c.header('Content-Range', `bytes */${stored.bytes}`);
      return c.json({ detail: `Range: the file has ${stored.bytes} bytes.` }, 416);
    }
    const isHead = c.req.method === 'HEAD';
    const bytes = isHead
      ? null
      : await opened({
          places,
          owner: state.websites.get(websiteId)?.organisationId ?? websiteId,
          open: () => local.open(key, range ?? undefined),
        });
    c.header(
      'Content-Type',
      contentTypeOf.get(signed.name.slice(signed.name.lastIndexOf('.') + 1)) ?? 'application/octet-stream',
    );
    // Always a download: a file's content must never run as a page of this host.
    c.header('Content-Disposition', `attachment; filename="${signed.name.replaceAll(/[^\w.-]/g, '_')}"`);
    c.header('X-Content-Type-Options', 'nosniff');
    c.header('Accept-Ranges', 'bytes');
    if (etag !== null) c.header('ETag', etag);
    if (range === null) {
      c.header('Content-Length', String(stored.bytes));
      return bytes === null ? c.body(null, 200) : c.body(bytes, 200);
    }
    c.header('Content-Length', String(range.end - range.start + 1));
    c.header('Content-Range', `bytes ${range.start}-${range.end}/${stored.bytes}`);
    return c.body(bytes!, 206);
  });
  return routes;
}

/** RFC 9110: a range has no meaning for HEAD, nor if the file differs from If-Range. */
function rangeOf(c: Context<ApiEnv>, bytes: number, etag: string | null): ByteRange | 'unsatisfiable' | null {
  const condition = c.req.header('If-Range');
  if (c.req.method === 'HEAD' || (condition !== undefined && condition !== etag)) return null;
  return readRange(c.req.header('Range'), bytes);
}

interface Opening {
  readonly places: Limiter;
  readonly owner: string;
  readonly open: () => Promise<Readable>;
}

/** The server closes the connection of a slow reader, and with it the file. @throws PublicError unavailable if too many files are being sent. */
async function opened({ places, owner, open }: Opening): Promise<ReadableStream<Uint8Array>> {
  const leave = places.tryEnter(owner);
  if (leave === null)
    throw new PublicError('unavailable', 'Too many files are being downloaded: repeat the call later.', {
      retryAfterSeconds: RETRY_SECONDS,
    });
  try {
    const bytes = await open();
    bytes.once('close', leave);
    return fetched(bytes);
  } catch (error) {
    leave();
    throw error;
  }
}

/** A stream that reads the file as the client fetches it. */
function fetched(bytes: Readable): ReadableStream<Uint8Array> {
  const chunks = bytes[Symbol.asyncIterator]();
  return new ReadableStream(
    {
      async pull(controller) {
        const { value, done } = await chunks.next();
        if (done === true) controller.close();
        else controller.enqueue(value);
      },
      cancel: () => void bytes.destroy(),
    },
    { highWaterMark: 0 },
  );
}
