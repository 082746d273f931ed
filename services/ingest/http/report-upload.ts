import type { PublicError } from '../../../shared/errors.js';
import { createLineLimit } from '../../../shared/logging/line-limit.js';
import type { Logger } from '../../../shared/logging/log.js';
import type { UploadOutcome } from '../../../shared/uploads/upload-outcome.js';
import type { IngestKeyOwner } from '../admission/authenticate.js';
import type { Upload } from '../admission/upload.js';
import type { Outcomes } from '../outcomes/collect-outcomes.js';
import type { IngestMetrics } from './ingest-metrics.js';
import { senderOf } from './remote-address.js';
import type { UploadResult } from './upload-result.js';

/** Reports each upload: metrics, a log line that names its sender, and its outcome for the website's owner. */

/** The part of a log line that identifies the request. */
export interface Caller {
  readonly requestId: string;
  /** '' if unknown. */
  readonly address: string;
}

export interface EndedUpload {
  readonly upload: Upload;
  readonly owner: IngestKeyOwner;
  readonly result: UploadResult;
  /** The refusal in the answer; null if the upload was taken. */
  readonly error: PublicError | null;
  /** Whether the sender disconnected before the answer. */
  readonly left: boolean;
  readonly milliseconds: number;
}

export interface Report {
  /**
   * Reports an upload that was refused before its body was read.
   * @param owner null if the key was not valid
   */
  refused(refusal: PublicError, owner: IngestKeyOwner | null, caller: Caller): void;
  ended(ended: EndedUpload, caller: Caller): void;
  /** Logs how many lines were left out. */
  stop(): void;
}

/** Enough to see each sender's activity; lines of many small uploads, or of an attack, are only counted. */
const LINES_PER_MINUTE = 10;
/** Requests without a key may come from any address; together they get at most 1,000 lines a minute. */
const MOST_ADDRESSES = 100;
const MOST_WEBSITES = 10_000;

export function createReport(options: {
  logger: Logger;
  counters: IngestMetrics;
  outcomes: Outcomes;
  now: () => number;
}): Report {
  const { logger, counters, outcomes, now } = options;
  const limit = (mostSubjects: number, of: string) =>
    createLineLimit({
      linesPerMinute: LINES_PER_MINUTE,
      mostSubjects,
      now,
      onLeftOut: (leftOut) => logger.info(leftOut, `ingest: lines of ${of} were left out`),
    });
  const ofAddress = limit(MOST_ADDRESSES, 'refused keys');
  const ofWebsite = limit(MOST_WEBSITES, 'uploads');

  return {
    refused(refusal, owner, { requestId, address }) {
      counters.uploads.inc({ source: 'none', status: String(refusal.status) });
      counters.refused.inc({ reason: reasonOf(refusal) });
      if (owner !== null)
        outcomes.note(owner.websiteId, { at: now(), source: null, ...endOf(refusal), ...noLines }, null);
      const line = owner === null ? ofAddress.admit(senderOf(address)) : ofWebsite.admit(owner.websiteId);
      if (line === null) return;
      logger.info(
        {
          request_id: requestId,
          remote_address: address,
          ...(owner === null ? {} : { website_id: owner.websiteId, key_id: owner.keyId }),
          status: String(refusal.status),
          reason: refusal.message,
          ...line,
        },
        'upload refused',
      );
    },

    ended({ upload, owner, result, error, left, milliseconds }, caller) {
      const { tally, progress, accepted } = result;
      const counts = { accepted, rejected: tally.rejected, skipped: tally.skipped };
      const status = left ? 'aborted' : String(error?.status ?? 200);
      const source = tally.source ?? 'none';
      counters.uploads.inc({ source, status });
      if (error !== null) counters.refused.inc({ reason: left ? 'aborted' : reasonOf(error) });
      for (const [outcome, count] of Object.entries(counts)) counters.lines.inc({ source, outcome }, count);
      counters.bytes.inc({ form: 'sent' }, progress.received);
      counters.bytes.inc({ form: 'inflated' }, progress.inflated);
      counters.seconds.observe(milliseconds / 1_000);
      const end = left ? { kind: 'aborted' as const, reason: '' } : endOf(error);
      outcomes.note(owner.websiteId, { at: now(), source: tally.source, ...end, ...counts }, tally.lastError);
      const admitted = ofWebsite.admit(owner.websiteId);
      if (admitted === null) return;
      const line = {
        request_id: caller.requestId,
        remote_address: caller.address,
        website_id: owner.websiteId,
        key_id: owner.keyId,
        upload_id: upload.id,
        source,
        status,
        ...counts,
        ...progress,
        milliseconds,
        ...admitted,
      };
      if (error === null) logger.info(line, 'upload taken');
      // Our own failures have a cause.
      else if (error.status >= 500 && error.cause !== undefined && !left)
        logger.error({ ...line, err: error.cause }, 'upload failed');
      else logger.info({ ...line, reason: error.message }, 'upload refused');
    },

    stop() {
      ofAddress.flush();
      ofWebsite.flush();
    },
  };
}

const noLines = { accepted: 0, rejected: 0, skipped: 0 };

function endOf(error: PublicError | null): Pick<UploadOutcome, 'kind' | 'reason'> {
  if (error === null) return { kind: 'taken', reason: '' };
  return { kind: error.status >= 500 ? 'failed' : 'refused', reason: error.message };
}

function reasonOf(error: PublicError): string {
  const { reason } = error.fields;
  return typeof reason === 'string' ? reason : error.code;
}
