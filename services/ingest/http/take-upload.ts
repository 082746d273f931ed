import type { IncomingMessage } from 'node:http';
import type { EventLog } from '../../../shared/event-log/event-log.js';
import type { Limiter } from '../../../shared/pacing/limiter.js';
import type { RawRequest } from '../../../shared/requests/raw-request.js';
import type { Upload } from '../admission/upload.js';
import { createBlockAppender } from '../blocks/append-blocks.js';
import { cutAtStretches } from '../blocks/cut-body.js';
import { bodyShape } from '../body/body-shape.js';
import { type BodyLimits, type BodyProgress, readBody, tooLargeInflated } from '../body/inflate.js';
import { createBodySplitter, type SplitOptions } from '../body/split-body.js';
import { createTally, type Tally } from '../outcomes/tally.js';
import { createRecordParser } from '../records/parse-records.js';

/** What the stages of an upload share with those of others. */
export interface UploadStages {
  readonly log: EventLog;
  /** Places for appends; owners are websites. */
  readonly appends: Limiter;
  readonly limits: Omit<BodyLimits, 'pass'>;
  readonly maxLineBytes: number;
  readonly now: () => number;
  readonly nextBlock: () => number;
  readonly uploadsInFlight: () => number;
}

export interface UploadResult {
  readonly tally: Tally;
  readonly progress: BodyProgress;
  /** Requests that the log has. */
  readonly accepted: number;
  /** What ended the upload before its end; null where the log has all of it. */
  readonly failure: unknown;
}

/**
 * The way of an upload, stage by stage: bytes → inflated → split → parsed → blocks in the log. Reading goes on only
 * when the log keeps up. Never rejects: a failed upload has its counts too.
 */
export async function takeUpload(
  request: IncomingMessage,
  upload: Upload,
  stages: UploadStages,
): Promise<UploadResult> {
  const tally = createTally();
  const progress: BodyProgress = { received: 0, inflated: 0 };
  const limits = { ...stages.limits, pass: upload.pass };
  /** Came out of compression inside of the body, and was not yet let pass. */
  let unpacked = 0;
  const blocks = createBlockAppender({
    ...stages,
    websiteId: upload.websiteId,
    uploadId: upload.id,
    uploadKey: upload.uploadKey,
  });
  const onRequest = (parsed: RawRequest) => blocks.add(parsed, tally.source!);
  const onInflated = (bytes: number) => {
    progress.inflated += bytes;
    unpacked += bytes;
    if (progress.inflated > limits.maxInflatedBytes) throw tooLargeInflated(limits.maxInflatedBytes);
  };
  let failure: unknown = null;
  const split = splitOptions(upload, stages);
  try {
    const parser = createRecordParser({ ...upload, ...split, tally, onRequest, onInflated, rows: blocks });
    const splitter = createBodySplitter(split, parser);
    let offset = 0;
    for await (const chunk of readBody(request, upload.encoding, limits, progress)) {
      for (const piece of cutAtStretches(chunk, offset)) {
        splitter.onChunk(piece.bytes);
        if (piece.endsStretch) blocks.endStretch();
        await blocks.appendFull(piece.bytes.length);
      }
      offset += chunk.length;
      if (unpacked > 0) await upload.pass(unpacked);
      unpacked = 0;
      upload.meter.count(blocks.weight, progress.inflated);
    }
    splitter.onEnd(progress.isCut === true ? 'cut off: the compressed body ends early' : undefined);
    await blocks.finish();
  } catch (error) {
    failure = error ?? new Error('unknown failure');
    await blocks.settle();
  }
  upload.meter.end(blocks.weight, progress.inflated);
  return { tally, progress, accepted: blocks.accepted, failure };
}

function splitOptions({ source, sender, headers }: Upload, { maxLineBytes }: UploadStages): SplitOptions {
  return {
    maxLineBytes: Math.max(maxLineBytes, sender.longestRecord ?? 0),
    shape: bodyShape(source, headers['content-type']),
  };
}
