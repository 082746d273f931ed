import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Registry } from 'prom-client';
import type { Config } from '../../shared/config.js';
import { PublicError } from '../../shared/errors.js';
import type { EventLog } from '../../shared/event-log/event-log.js';
import type { Logger } from '../../shared/log.js';
import { acceptedTimes } from './accepted-times.js';
import { answerJson, errorHeaders, toPublicError } from './answer.js';
import { authenticate, type FindIngestKey, type IngestKeyOwner } from './authenticate.js';
import { readUploadKey } from './deduplicate-upload.js';
import { findNamedSource } from './detect-source.js';
import { createGate } from './gate.js';
import { readEncoding, tooLargeAsSent } from './inflate.js';
import { createIngestMetrics, type IngestMetrics } from './metrics.js';
import { takeUpload, type Upload, type UploadResult, type UploadStages } from './take-upload.js';

/**
 * The ingest endpoint: `POST /v1/logs` (docs/log-format.md), health and metrics. On node:http itself, since a
 * framework's request would buffer or wrap the stream that everything here rests on.
 */

export const UPLOAD_PATH = '/v1/logs';

/** Blocks of half a megabyte being appended at once, over all uploads; more only queue in the log. */
const MOST_APPENDS = 16;

export interface IngestDependencies {
  readonly log: EventLog;
  /** Answers from memory: it is asked for every upload. */
  readonly findIngestKey: FindIngestKey;
  /** Whether keys are known and the log takes records; while not, uploads get 503. */
  readonly ready: () => boolean;
  readonly config: Pick<
    Config,
    | 'INGEST_MAX_BODY_BYTES'
    | 'INGEST_MAX_INFLATED_BYTES'
    | 'INGEST_MAX_LINE_BYTES'
    | 'INGEST_MAX_IN_FLIGHT'
    | 'METRICS_PORT'
  >;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly newUploadId: () => string;
  readonly logger: Logger;
  readonly metrics: Registry;
}

export type RequestListener = (request: IncomingMessage, response: ServerResponse) => void;

interface Ingest extends IngestDependencies {
  readonly stages: UploadStages;
  readonly counters: IngestMetrics;
  readonly inFlight: { uploads: number };
}

/** A listener for the events `request` and `checkContinue` of a node:http server. */
export function createIngest(dependencies: IngestDependencies): RequestListener {
  let blocks = 0;
  const inFlight = { uploads: 0 };
  const { config } = dependencies;
  const ingest: Ingest = {
    ...dependencies,
    counters: createIngestMetrics(dependencies.metrics),
    inFlight,
    stages: {
      log: dependencies.log,
      gate: createGate(MOST_APPENDS),
      limits: { maxBytes: config.INGEST_MAX_BODY_BYTES, maxInflatedBytes: config.INGEST_MAX_INFLATED_BYTES },
      maxLineBytes: config.INGEST_MAX_LINE_BYTES,
      now: dependencies.now,
      nextBlock: () => blocks++,
      uploadsInFlight: () => inFlight.uploads,
    },
  };
  return (request, response) => {
    route(ingest, request, response).catch((error: unknown) => {
      ingest.logger.error({ err: error }, 'ingest: request failed');
      refuse(request, response, toPublicError(error));
    });
  };
}

async function route(ingest: Ingest, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const [path, search = ''] = (request.url ?? '/').split('?', 2) as [string, string?];
  if (path === UPLOAD_PATH || path === `${UPLOAD_PATH}/`) {
    return answerUploadPath(ingest, request, response, new URLSearchParams(search));
  }
  const reads = request.method === 'GET' || request.method === 'HEAD';
  const metricsAreHere = ingest.config.METRICS_PORT === undefined;
  if (!['/healthz', '/readyz', ...(metricsAreHere ? ['/metrics'] : [])].includes(path)) {
    return refuse(
      request,
      response,
      new PublicError('not_found', `Nothing here; send logs to POST ${UPLOAD_PATH}.`),
    );
  }
  if (!reads) return refuseMethod(request, response, 'GET, HEAD');
  if (path === '/healthz') return answerJson(request, response, 200, { status: 'ok' });
  if (path === '/readyz') {
    const ready = ingest.ready();
    return answerJson(request, response, ready ? 200 : 503, { status: ready ? 'ready' : 'not ready' });
  }
  const text = await ingest.metrics.metrics();
  response.writeHead(200, { 'content-type': ingest.metrics.contentType });
  response.end(request.method === 'HEAD' ? undefined : text);
}

async function answerUploadPath(
  ingest: Ingest,
  request: IncomingMessage,
  response: ServerResponse,
  query: URLSearchParams,
): Promise<void> {
  // Shippers and people look whether anyone is there: Vector's health check is a HEAD that must be 200.
  if (request.method === 'GET' || request.method === 'HEAD') {
    return answerJson(request, response, 200, {
      detail: `Send logs by POST ${UPLOAD_PATH} with the header X-API-Key.`,
    });
  }
  if (request.method !== 'POST') return refuseMethod(request, response, 'POST, GET, HEAD');
  const startedAt = ingest.now();
  const admitted = admit(ingest, request, query);
  if (admitted instanceof PublicError) {
    ingest.counters.uploads.inc({ source: 'none', status: String(admitted.status) });
    return refuse(request, response, admitted);
  }
  ingest.inFlight.uploads++;
  ingest.counters.inFlight.inc();
  try {
    if (request.headers.expect !== undefined) response.writeContinue();
    const result = await takeUpload(request, admitted.upload, ingest.stages);
    finish(ingest, request, response, admitted, result, ingest.now() - startedAt);
  } finally {
    ingest.inFlight.uploads--;
    ingest.counters.inFlight.dec();
  }
}

interface Admitted {
  readonly upload: Upload;
  readonly owner: IngestKeyOwner;
}

/** Everything that can be said before the first byte of the body; the key first, then what the sender may change. */
function admit(ingest: Ingest, request: IncomingMessage, query: URLSearchParams): Admitted | PublicError {
  try {
    if (!ingest.ready()) {
      return new PublicError('unavailable', 'Not ready yet; send the upload again.', {
        retryAfterSeconds: 5,
      });
    }
    const owner = authenticate(request.headers, query, ingest.findIngestKey);
    if (ingest.inFlight.uploads >= ingest.config.INGEST_MAX_IN_FLIGHT) {
      return new PublicError('unavailable', 'Too many uploads at once; send the upload again.', {
        retryAfterSeconds: 1,
      });
    }
    const source = findNamedSource(query.get('source'));
    refuseContentType(request.headers['content-type']);
    const encoding = readEncoding(request.headers['content-encoding']);
    const { maxBytes } = ingest.stages.limits;
    if (Number(request.headers['content-length'] ?? 0) > maxBytes) return tooLargeAsSent(maxBytes);
    const upload: Upload = {
      id: ingest.newUploadId(),
      websiteId: owner.websiteId,
      key: readUploadKey(request.headers, owner.websiteId),
      encoding,
      source,
      times: acceptedTimes(ingest.now(), owner.plan.retentionDays),
    };
    return { owner, upload };
  } catch (error) {
    if (error instanceof PublicError) return error;
    throw error;
  }
}

/** Only what no sniffing could save: every other content type is a hint that senders often get wrong. */
function refuseContentType(header: string | undefined): void {
  const type = (header ?? '').split(';', 1)[0]!.trim().toLowerCase();
  if (
    !/^(application\/(x-)?msgpack|application\/vnd\.msgpack|application\/(x-)?protobuf|multipart\/.*)$/.test(
      type,
    )
  )
    return;
  throw new PublicError(
    'unsupported_media_type',
    `Content-Type ${type} is not supported. Send newline-delimited JSON, a JSON array or plain log lines as the body.`,
  );
}

function finish(
  ingest: Ingest,
  request: IncomingMessage,
  response: ServerResponse,
  { upload, owner }: Admitted,
  { tally, progress, accepted, failure }: UploadResult,
  milliseconds: number,
): void {
  const counts = { accepted, rejected: tally.rejected, skipped: tally.skipped };
  const error = failure === null ? null : toPublicError(failure);
  const left = error !== null && request.destroyed && !request.complete;
  const status = left ? 'aborted' : String(error?.status ?? 200);
  const source = tally.source ?? 'none';
  ingest.counters.uploads.inc({ source, status });
  for (const [outcome, count] of Object.entries(counts))
    ingest.counters.lines.inc({ source, outcome }, count);
  ingest.counters.bytes.inc({ form: 'sent' }, progress.received);
  ingest.counters.bytes.inc({ form: 'inflated' }, progress.inflated);
  ingest.counters.seconds.observe(milliseconds / 1_000);
  const line = {
    website_id: owner.websiteId,
    upload_id: upload.id,
    source,
    status,
    ...counts,
    ...progress,
    milliseconds,
  };
  if (error === null) ingest.logger.debug(line, 'upload taken');
  else if (error.status >= 500 && !left) ingest.logger.error({ ...line, err: error.cause }, 'upload failed');
  else ingest.logger.info({ ...line, reason: error.message }, 'upload refused');
  if (left) return;
  const answer = { ...counts, source: tally.source, upload_id: upload.id, errors: tally.errors };
  if (error === null) answerJson(request, response, 200, answer);
  else refuse(request, response, error, answer);
}

function refuse(
  request: IncomingMessage,
  response: ServerResponse,
  error: PublicError,
  extra: Record<string, unknown> = {},
  headers: Record<string, string> = {},
): void {
  answerJson(
    request,
    response,
    error.status,
    { detail: error.message, ...extra },
    { ...errorHeaders(error), ...headers },
  );
}

function refuseMethod(request: IncomingMessage, response: ServerResponse, allow: string): void {
  const error = new PublicError(
    'method_not_allowed',
    `Method ${request.method} is not supported here; use ${allow}.`,
  );
  refuse(request, response, error, {}, { allow });
}
