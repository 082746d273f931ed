import type { IncomingMessage, ServerResponse } from 'node:http';
import { PublicError } from '../../../shared/errors.js';
import type { NotReady } from '../../../shared/service/readiness.js';
import { type Admission, admitUpload, refuseUnlessReady } from '../admission/admit-upload.js';
import { authenticate, type FindKeyOwner, type IngestKeyOwner } from '../admission/authenticate.js';
import type { Upload } from '../admission/upload.js';
import type { BlockAppender } from '../blocks/append-blocks.js';
import { cutAtStretches } from '../blocks/cut-body.js';
import { type BodyLimits, type BodyProgress, inflateBody, tooLargeInflated } from '../body/inflate.js';
import { createBodySplitter } from '../body/split-body.js';
import { createTally, type Tally } from '../outcomes/tally.js';
import { createRecordParser } from '../records/parse-records.js';
import { findSender } from '../senders/all-senders.js';
import type { SenderAnswer, SenderRequest } from '../senders/sender.js';
import { vercelVerification } from '../senders/vercel.js';
import { refusalAnswer, sendAnswer, toPublicError } from './answer.js';
import type { Caller, Report } from './report-upload.js';
import type { UploadResult } from './upload-result.js';

export interface UploadCall {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly sent: SenderRequest;
  /** The key in `/v1/logs/KEY`. */
  readonly pathKey: string | null;
  readonly caller: Caller;
}

export interface UploadServices {
  readonly notReady: () => NotReady;
  readonly findKeyOwner: FindKeyOwner;
  readonly admission: Admission;
  readonly limits: Omit<BodyLimits, 'waitForRate'>;
  readonly openBlocks: (upload: Upload) => BlockAppender;
  readonly report: Report;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

/**
 * Takes an upload from its headers to its answer: authenticate → admit → store the body → answer.
 * {@link storeBody} has the steps of the body: inflate → split → recognise → parse → append.
 */
export async function receiveUpload(
  { request, response, sent, pathKey, caller }: UploadCall,
  { notReady, findKeyOwner, admission, limits, openBlocks, report, now }: UploadServices,
): Promise<void> {
  const startedAt = now();
  const sender = findSender(sent);
  const answer = (usual: SenderAnswer, tally: Tally | null) => {
    const shaped = sender.shapeAnswer(usual, sent, tally, now());
    const headers = { ...shaped.headers, ...vercelVerification(sent.query) };
    sendAnswer(request, response, { ...shaped, headers });
  };
  let owner: IngestKeyOwner | null = null;
  let upload: Upload;
  try {
    refuseUnlessReady(notReady());
    owner = authenticate(sent, pathKey, findKeyOwner);
    upload = admitUpload(owner, sent, sender, admission);
  } catch (error) {
    if (!(error instanceof PublicError)) throw error;
    report.refused(error, owner, caller);
    return answer(refusalAnswer(error), null);
  }
  try {
    if (request.headers.expect !== undefined) response.writeContinue();
    const result = await storeBody(request, upload, limits, openBlocks(upload));
    const error = result.failure === null ? null : toPublicError(result.failure);
    const left = error !== null && request.destroyed && !request.complete;
    report.ended({ upload, owner, result, error, left, milliseconds: now() - startedAt }, caller);
    if (!left) answer(answerOf(upload, result, error), result.tally);
  } finally {
    upload.leave();
  }
}

/**
 * Takes a body from its bytes to the log: inflate → split → recognise → parse → append. Reads on only while the log
 * keeps up. Never rejects, because a failed upload has counts too.
 */
export async function storeBody(
  request: IncomingMessage,
  { encoding, source, headers, query, times, maxLineBytes, shape, waitForRate, meter }: Upload,
  limits: Omit<BodyLimits, 'waitForRate'>,
  blocks: BlockAppender,
): Promise<UploadResult> {
  const tally = createTally();
  const progress: BodyProgress = { received: 0, inflated: 0 };
  /** Bytes that were compressed within the body, and for which `waitForRate` was not called yet. */
  let unpacked = 0;
  const onInflated = (bytes: number) => {
    progress.inflated += bytes;
    unpacked += bytes;
    if (progress.inflated > limits.maxInflatedBytes) throw tooLargeInflated(limits.maxInflatedBytes);
  };
  let failure: unknown = null;
  try {
    const parser = createRecordParser({
      ...{ source, headers, query, times, maxLineBytes, tally, onInflated, rows: blocks },
      onRequest: (parsed) => blocks.add(parsed, tally.source!),
    });
    const splitter = createBodySplitter({ maxLineBytes, shape }, parser);
    let offset = 0;
    for await (const chunk of inflateBody(request, encoding, { ...limits, waitForRate }, progress)) {
      for (const { bytes, endsStretch } of cutAtStretches(chunk, offset)) {
        splitter.onChunk(bytes);
        if (endsStretch) blocks.endStretch();
        await blocks.appendFull(bytes.length);
      }
      offset += chunk.length;
      if (unpacked > 0) await waitForRate(unpacked);
      unpacked = 0;
      meter.count(blocks.weight, progress.inflated);
    }
    splitter.onEnd(progress.isCut === true ? 'cut off: the compressed body ends early' : undefined);
    await blocks.finish();
  } catch (error) {
    failure = error ?? new Error('unknown failure');
    await blocks.settle();
  }
  meter.end(blocks.weight, progress.inflated);
  return { tally, progress, accepted: blocks.accepted, failure };
}

function answerOf(
  { id }: Upload,
  { accepted, tally, progress }: UploadResult,
  error: PublicError | null,
): SenderAnswer {
  const { rejected, skipped, source, errors } = tally;
  const counts = { accepted, rejected, skipped, source, upload_id: id, errors };
  const empty = accepted + rejected + skipped === 0 ? { note: 'The upload has no lines.' } : {};
  const warning = progress.warning === undefined ? {} : { warning: progress.warning };
  return error === null
    ? { status: 200, headers: {}, body: { ...counts, ...empty, ...warning } }
    : refusalAnswer(error, counts);
}
