import type { IncomingMessage } from 'node:http';
import type { EventLog } from '../../shared/event-log/event-log.js';
import type { Upload } from './admission/upload.js';
import { createBlockAppender } from './blocks/append-blocks.js';
import { cutAtStretches } from './blocks/cut-body.js';
import type { Semaphore } from './blocks/semaphore.js';
import { type BodyLimits, type BodyProgress, readBody } from './body/inflate.js';
import { createBodySplitter } from './body/split-body.js';
import { createRecordParser, createTally, type RecordParser, type Tally } from './records/parse-records.js';

/** What the stages of an upload share with those of others. */
export interface UploadStages {
  readonly log: EventLog;
  readonly semaphore: Semaphore;
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
  /** The answer in the form that the upload's source gives it. @param answeredAt milliseconds since the epoch */
  readonly shapeAnswer: RecordParser['shapeAnswer'];
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
  const blocks = createBlockAppender({
    ...stages,
    websiteId: upload.websiteId,
    uploadId: upload.id,
    uploadKey: upload.uploadKey,
  });
  const parser = createRecordParser({
    source: upload.source,
    upload,
    times: upload.times,
    tally,
    onRequest: (parsed) => blocks.add(parsed, tally.source!),
  });
  const splitter = createBodySplitter(
    { maxLineBytes: stages.maxLineBytes, shape: upload.source?.shape ?? null },
    parser,
  );
  let failure: unknown = null;
  try {
    const limits = { ...stages.limits, pass: upload.pass };
    for await (const chunk of readBody(request, upload.encoding, limits, progress)) {
      for (const piece of cutAtStretches(chunk, progress.inflated - chunk.length)) {
        splitter.push(piece.bytes);
        if (piece.endsStretch) blocks.endStretch();
        await blocks.appendFull(piece.bytes.length);
      }
      upload.meter.count(blocks.accepted, progress.inflated);
    }
    splitter.end();
    await blocks.finish();
  } catch (error) {
    failure = error ?? new Error('unknown failure');
    await blocks.settle();
  }
  upload.meter.end(blocks.accepted, progress.inflated);
  return { tally, progress, accepted: blocks.accepted, shapeAnswer: parser.shapeAnswer, failure };
}
