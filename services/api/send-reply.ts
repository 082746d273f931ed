import { Readable } from 'node:stream';
import type { Context } from 'hono';
import type { ApiEnv } from './middleware/env.js';
import type { Operation } from './operation.js';
import { isReply, kind, type Reply } from './reply.js';

/** How a success goes out, as its operation announces it. */

/** @throws Error where the operation does not say that it answers so. */
function replyOf<Body extends Reply['body']>(
  { id, replies }: Operation,
  body: Body,
): Extract<Reply, { body: Body }> {
  const found = replies.find((reply) => reply.body === body);
  if (found === undefined) throw new Error(`${id} answers with ${body}, which it does not announce`);
  return found as Extract<Reply, { body: Body }>;
}

/** The status of the operation's JSON. */
export function jsonStatus(operation: Operation): 200 | 201 {
  return replyOf(operation, 'json').status;
}

/** The answer where a run returned a redirect or a file; null: it returned JSON. */
export function specialReply(c: Context<ApiEnv>, operation: Operation, result: unknown): Response | null {
  if (!isReply(result)) return null;
  if (result[kind] === 'redirect') {
    c.header('Location', result.location);
    return c.body(null, replyOf(operation, 'redirect').status);
  }
  const { status, contentType } = replyOf(operation, 'file');
  c.header('Content-Type', contentType);
  c.header('Content-Disposition', `attachment; filename="${result.name.replaceAll(/[^\w.-]/g, '_')}"`);
  if (result.bytes !== null) c.header('Content-Length', String(result.bytes));
  if (c.req.method === 'HEAD') return c.body(null, status);
  return c.body(Readable.toWeb(result.open()) as ReadableStream, status);
}
