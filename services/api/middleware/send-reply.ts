import type { Context } from 'hono';
import type { Operation } from '../operation/operation.js';
import { isRedirect, type Reply } from '../operation/reply.js';
import type { ApiEnv } from './env.js';

/** Sends a successful answer in the form that its operation declares. */

/** @throws Error if the operation does not declare this kind of answer. */
function replyOf<Body extends Reply['body']>(
  { id, replies }: Operation,
  body: Body,
): Extract<Reply, { body: Body }> {
  const found = replies.find((reply) => reply.body === body);
  if (found === undefined) throw new Error(`${id} answers with ${body}, which it does not declare`);
  return found as Extract<Reply, { body: Body }>;
}

/** The status of the operation's JSON answer. */
export function jsonStatus(operation: Operation): 200 | 201 {
  return replyOf(operation, 'json').status;
}

/** The answer for a run that returned a redirect; null: it returned JSON. */
export function specialReply(c: Context<ApiEnv>, operation: Operation, result: unknown): Response | null {
  if (!isRedirect(result)) return null;
  c.header('Location', result.location);
  return c.body(null, replyOf(operation, 'redirect').status);
}
