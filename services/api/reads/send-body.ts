import type { Context } from 'hono';
import type { ApiEnv } from '../middleware/env.js';
import { chooseEncoding, type EncodedBody, entityTag, namesTag } from './encoded-body.js';

export interface SendOptions {
  readonly status: 200 | 201;
  /**
   * The answer has a validator: the caller's own cache may keep it and ask with If-None-Match whether it still holds. Else it is stored
   * nowhere (authenticate.ts).
   */
  readonly revalidate: boolean;
}

/** JSON in the encoding that the caller takes; 304 where it has the very answer already. */
export async function sendBody(
  c: Context<ApiEnv>,
  body: EncodedBody,
  { status, revalidate }: SendOptions,
): Promise<Response> {
  const encoding = chooseEncoding(c.req.header('Accept-Encoding'), body);
  c.header('Vary', 'Accept-Encoding');
  if (revalidate) {
    const tag = entityTag(body, encoding);
    c.header('ETag', tag);
    // Meant for the holder of one key, and as good as its validator says.
    c.header('Cache-Control', 'private, no-cache');
    if (namesTag(c.req.header('If-None-Match'), tag)) return c.body(null, 304);
  }
  c.header('Content-Type', 'application/json');
  if (encoding !== null) c.header('Content-Encoding', encoding);
  const bytes = await body.as(encoding);
  return c.body(bytes as Uint8Array<ArrayBuffer>, status);
}
