import type { Context } from 'hono';
import type { AnswerCache, MadeAnswer, Reuse } from '../answer-cache/answer-cache.js';
import { encodeAnswer } from '../answer-cache/encode-answer.js';
import { type PendingUpload, toPendingUpload } from '../arrivals/pending-upload-mark.js';
import { boundAnswer } from '../limits/bound-answer.js';
import type { RunCall } from '../limits/share-calls.js';
import type { ReaderOf } from '../limits/share-reads.js';
import type { ApiEnv } from '../middleware/env.js';
import { jsonStatus, specialReply } from '../middleware/send-reply.js';
import type { ReadOperation, WebsiteContext } from '../operation/operation.js';
import { MOST_FULL_ROWS } from '../operation/parameters.js';
import { truncateRows } from '../operation/truncate-rows.js';
import { sendBody } from './send-body.js';

export interface ReadCall {
  /** Parameters of path and query, with `max_rows`. */
  readonly parameters: Record<string, unknown>;
  /** Query parameters without effect. */
  readonly ignored: readonly string[];
  /** `website` exists only for website operations. The run gets another reader. */
  readonly context: WebsiteContext;
  readonly readerOf: ReaderOf;
  readonly runCall: RunCall;
  readonly answers: AnswerCache;
}

/** Time after which a repeat may find the answer finished. */
const BUFFERING_RETRY_SECONDS = 2;

/** Answers an allowed read: runs it or reuses the answer of an equal call. */
export async function answerRead(
  c: Context<ApiEnv>,
  operation: ReadOperation,
  { parameters: { max_rows, ...input }, ignored, context, readerOf, runCall, answers }: ReadCall,
): Promise<Response> {
  const organisationId = context.caller.organisation.id;
  const run = (signal: AbortSignal) =>
    runCall(
      organisationId,
      async () => {
        const services = { ...context.services, reader: boundAnswer(readerOf(organisationId, signal)) };
        return operation.run(input as never, { ...context, services });
      },
      signal,
    );
  const pending = operation.kind === 'website' ? await pendingUploadOf(context) : null;
  const fullTexts = input.full_texts === true;
  const mostRows = fullTexts
    ? Math.min(MOST_FULL_ROWS, (max_rows as number | undefined) ?? MOST_FULL_ROWS)
    : (max_rows as number | undefined);
  const make = async (result: unknown): Promise<MadeAnswer> => {
    const answer = result as object;
    const capped = mostRows === undefined ? answer : truncateRows(answer, mostRows);
    const shown = {
      ...capped,
      ...(ignored.length > 0 && { _ignored_parameters: ignored }),
      ...(pending !== null && { _pending_upload: pending }),
    };
    const keep = (answer as { data_buffering?: unknown }).data_buffering !== true;
    return { body: await encodeAnswer(shown, fullTexts), keep };
  };

  const { signal } = c.req.raw;
  const reuse = reuseOf(operation, input, context);
  if (reuse === null) {
    const result = await run(signal);
    // The inputs of this answer are not known, so it is not cached. Its validator depends on its text alone.
    const isReusable = operation.kind === 'website' && operation.reuse !== undefined;
    return specialReply(c, operation, result) ?? send(c, operation, await make(result), isReusable);
  }
  const { on, until } = reuse;
  const websiteId = context.website.id;
  const key = JSON.stringify([
    organisationId,
    websiteId,
    operation.id,
    max_rows,
    ignored,
    pending,
    input,
    on,
  ]);
  const call = { key, websiteId, until, now: context.now, signal };
  return send(c, operation, await answers.answer(call, async (ending) => make(await run(ending))), true);
}

/** Looked up before the read: rows that are stored during the read may be missing from it. */
async function pendingUploadOf({ website, services }: WebsiteContext): Promise<PendingUpload | null> {
  const through = await services.pendingUploads.storedThrough(website.id);
  return through === null ? null : toPendingUpload(through);
}

function reuseOf(operation: ReadOperation, input: unknown, context: WebsiteContext): Reuse | null {
  if (operation.kind !== 'website' || operation.reuse === undefined) return null;
  return operation.reuse(input as never, context);
}

function send(
  c: Context<ApiEnv>,
  operation: ReadOperation,
  { body, keep }: MadeAnswer,
  reusable: boolean,
): Promise<Response> {
  if (!keep) c.header('Retry-After', String(BUFFERING_RETRY_SECONDS));
  return sendBody(c, body, { status: jsonStatus(operation), revalidate: reusable && keep });
}
