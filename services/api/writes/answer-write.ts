import type { Context } from 'hono';
import {
  findIdempotencyRecord,
  type IdempotentRequest,
  readIdempotencyKey,
  replayedAnswer,
  seal,
} from '../control/idempotency.js';
import type { ReaderOf } from '../limits/share-reads.js';
import type { ApiEnv } from '../middleware/env.js';
import { jsonStatus, specialReply } from '../middleware/send-reply.js';
import { bodyOf, parseBody } from '../operation/input.js';
import type { WebsiteContext, WriteOperation } from '../operation/operation.js';

export interface WriteCall {
  /** Those of the path. */
  readonly parameters: Record<string, unknown>;
  /** `website` is there for website operations alone. */
  readonly context: WebsiteContext;
  readonly readerOf: ReaderOf;
  readonly randomBytes: (count: number) => Buffer;
}

/** Tells a caller that nothing was done now: this is the first request's answer. */
const REPLAYED = 'Idempotency-Replayed';

/** A write whose caller may do it: its body is read, it runs, its answer goes out. */
export async function answerWrite(
  c: Context<ApiEnv>,
  operation: WriteOperation,
  { parameters, context, readerOf, randomBytes }: WriteCall,
): Promise<Response> {
  const sent = operation.body === null ? null : await bodyOf(c, operation.bodyOptional);
  const body = operation.body === null ? {} : parseBody(operation.body, sent);
  const idempotency = operation.creates === true ? idempotencyOf(c, context, sent) : null;
  const { control } = context.services;
  if (idempotency !== null) {
    const record = findIdempotencyRecord(control.state(), idempotency.id, context.now);
    if (record !== null) {
      const replayed = replayedAnswer(record, idempotency, context.now);
      // Only now: a refusal is not the first request's answer.
      c.header(REPLAYED, 'true');
      return jsonText(c, replayed, jsonStatus(operation));
    }
  }

  const websiteId = operation.kind === 'website' ? context.website.id : null;
  const write = { caller: context.caller, websiteId, idempotency };
  const input = { ...parameters, ...body } as never;
  // What has begun to change things is carried through, whether or not its caller waits.
  const services = { ...context.services, reader: readerOf(context.caller.organisation.id) };
  const result = await operation.run(input, { ...context, services, write });
  const special = specialReply(c, operation, result);
  if (special !== null) return special;
  const answer = JSON.stringify(result);
  if (idempotency !== null) {
    const sealedAnswer = seal(answer, idempotency.sealingSecret, randomBytes);
    // What was asked for is done, whatever becomes of its repeats.
    await control
      .executeAsSystem({ type: 'answerIdempotencyKey', id: idempotency.id, sealedAnswer })
      .catch((error: unknown) => c.get('log').warn({ err: error }, 'answer not kept for repeats'));
  }
  return jsonText(c, answer, jsonStatus(operation));
}

function idempotencyOf(
  c: Context<ApiEnv>,
  { caller }: WebsiteContext,
  body: unknown,
): IdempotentRequest | null {
  const header = c.req.header('Idempotency-Key');
  if (header === undefined) return null;
  return readIdempotencyKey(header, {
    caller,
    clearKey: c.get('clearKey'),
    request: [c.req.method, c.req.path, body],
  });
}

function jsonText(c: Context<ApiEnv>, text: string, status: 200 | 201): Response {
  return c.body(text, status, { 'Content-Type': 'application/json' });
}
