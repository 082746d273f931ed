import type { Context } from 'hono';
import { bodyOf, parseInput } from '../input.js';
import type { ApiEnv } from '../middleware/env.js';
import type { WebsiteContext, WriteOperation } from '../operation.js';
import {
  findIdempotencyRecord,
  type IdempotentRequest,
  readIdempotencyKey,
  replayedAnswer,
  seal,
} from './idempotency.js';

export interface WriteCall {
  /** Those of the path. */
  readonly parameters: Record<string, unknown>;
  /** `website` is there for website operations alone. */
  readonly context: WebsiteContext;
  readonly randomBytes: (count: number) => Buffer;
}

/** Tells a caller that nothing was done now: this is the first request's answer. */
const REPLAYED = 'Idempotency-Replayed';

/** A write whose caller may do it: its body is read, it runs, its answer goes out. */
export async function answerWrite(
  c: Context<ApiEnv>,
  operation: WriteOperation,
  { parameters, context, randomBytes }: WriteCall,
): Promise<Response> {
  const sent = operation.body === null ? null : await bodyOf(c, operation.bodyOptional);
  const body = operation.body === null ? {} : parseInput(operation.body, sent);
  const idempotency = operation.creates === true ? idempotencyOf(c, context, sent) : null;
  const { control } = context.services;
  if (idempotency !== null) {
    const record = findIdempotencyRecord(control.state(), idempotency.id, context.now);
    if (record !== null) {
      c.header(REPLAYED, 'true');
      return jsonText(c, replayedAnswer(record, idempotency, context.now));
    }
  }

  const websiteId = operation.kind === 'website' ? context.website.id : null;
  const write = { caller: context.caller, websiteId, idempotency };
  const input = { ...parameters, ...body } as never;
  const answer = JSON.stringify(await operation.run(input, { ...context, write }));
  if (idempotency !== null) {
    const sealedAnswer = seal(answer, idempotency.sealingSecret, randomBytes);
    // What was asked for is done, whatever becomes of its repeats.
    await control
      .executeAsSystem({ type: 'answerIdempotencyKey', id: idempotency.id, sealedAnswer })
      .catch((error: unknown) => c.get('log').warn({ err: error }, 'answer not kept for repeats'));
  }
  return jsonText(c, answer);
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

function jsonText(c: Context<ApiEnv>, text: string): Response {
  return c.body(text, 200, { 'Content-Type': 'application/json' });
}
