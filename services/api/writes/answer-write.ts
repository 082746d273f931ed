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
  /** Path parameters. */
  readonly parameters: Record<string, unknown>;
  /** `website` exists only for website operations. */
  readonly context: WebsiteContext;
  readonly readerOf: ReaderOf;
  readonly randomBytes: (count: number) => Buffer;
}

/** Marks the answer of an earlier request: this call did nothing. */
const REPLAYED = 'Idempotency-Replayed';

/** Answers an allowed write: reads its body, runs it and sends the answer. */
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
      // Only here, because a refusal is not the first request's answer.
      c.header(REPLAYED, 'true');
      return jsonText(c, replayed, jsonStatus(operation));
    }
  }

  const websiteId = operation.kind === 'website' ? context.website.id : null;
  const write = { caller: context.caller, websiteId, idempotency };
  const input = { ...parameters, ...body } as never;
  // A write runs to its end, also if its caller disconnects.
  const services = { ...context.services, reader: readerOf(context.caller.organisation.id) };
  const result = await operation.run(input, { ...context, services, write });
  const special = specialReply(c, operation, result);
  if (special !== null) return special;
  const answer = JSON.stringify(result);
  if (idempotency !== null) {
    const sealedAnswer = seal(answer, idempotency.sealingSecret, randomBytes);
    // The write is done, even if the record for repeats fails.
    await control
      .executeAsSystem({ type: 'answerIdempotencyKey', id: idempotency.id, sealedAnswer })
      .catch((error: unknown) => c.get('log').warn({ err: error }, 'answer not stored for repeats'));
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
