import type { Context } from 'hono';
import { chooseEncoding, type EncodedBody, entityTag, namesTag } from '../answer-cache/encoded-body.js';
import type { ApiEnv } from '../middleware/env.js';

export interface SendOptions {
  readonly status: 200 | 201;
  /**
   * The answer has a validator: the caller may cache it and revalidate it with If-None-Match. Otherwise it must not be cached
   * (authenticate.ts).
   */
  readonly revalidate: boolean;
  /** Default: JSON. */
  readonly type?: string;
  /** Used with a validator; default: private to the holder of one key. */
  readonly cacheControl?: string;
}

/** Bytes per write to a socket. A client that does not read keeps one such part in memory, besides the shared body. */
const SLICE_BYTES = 32 * 1024;

/** Sends the body in an encoding that the caller accepts, or 304 if the caller has it already. */
export async function sendBody(
  c: Context<ApiEnv>,
  body: EncodedBody,
  { status, revalidate, type = 'application/json', cacheControl = 'private, no-cache' }: SendOptions,
): Promise<Response> {
  const encoding = chooseEncoding(c.req.header('Accept-Encoding'), body);
  c.header('Vary', 'Accept-Encoding');
  if (revalidate) {
    const tag = entityTag(body, encoding);
    c.header('ETag', tag);
    c.header('Cache-Control', cacheControl);
    if (namesTag(c.req.header('If-None-Match'), tag)) return c.body(null, 304);
  }
  c.header('Content-Type', type);
  if (encoding !== null) c.header('Content-Encoding', encoding);
  const bytes = await body.as(encoding);
  if (bytes.length <= SLICE_BYTES) return c.body(bytes as Uint8Array<ArrayBuffer>, status);
  c.header('Content-Length', String(bytes.length));
  return c.body(inSlices(bytes), status);
}

function inSlices(bytes: Buffer): ReadableStream<Uint8Array> {
  let sent = 0;
  return new ReadableStream(
    {
      pull(controller) {
        controller.enqueue(bytes.subarray(sent, sent + SLICE_BYTES));
        sent += SLICE_BYTES;
        if (sent >= bytes.length) controller.close();
      },
    },
    { highWaterMark: 0 },
  );
}
