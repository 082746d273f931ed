import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Gauge, Registry } from 'prom-client';
import type { Config } from '../../../shared/config.js';
import { PublicError } from '../../../shared/errors.js';
import type { EventLog } from '../../../shared/event-log/event-log.js';
import type { Logger } from '../../../shared/logging/log.js';
import { createLimiter } from '../../../shared/pacing/limiter.js';
import { type NotReady, readyAnswer } from '../../../shared/service/readiness.js';
import type { UsageCounter } from '../../../shared/usage/usage-counter.js';
import { type Admission, admitUpload } from '../admission/admit-upload.js';
import type { FindIngestKey } from '../admission/authenticate.js';
import { createByteRates } from '../admission/byte-rates.js';
import { createQuotas } from '../admission/quota.js';
import type { Upload } from '../admission/upload.js';
import { createUploadSlots, type UploadSlots } from '../admission/upload-slots.js';
import type { Outcomes } from '../outcomes/collect-outcomes.js';
import type { Tally } from '../outcomes/tally.js';
import { findSender } from '../senders/all-senders.js';
import { elasticsearchGreeting, elasticsearchHeaders } from '../senders/elasticsearch.js';
import type { SenderAnswer, SenderRequest } from '../senders/sender.js';
import { vercelVerification } from '../senders/vercel.js';
import {
  answerBody,
  answerJson,
  commonHeaders,
  endUnreadBody,
  errorHeaders,
  toPublicError,
} from './answer.js';
import { createIngestMetrics } from './ingest-metrics.js';
import { placeOf, UPLOAD_PATH } from './paths.js';
import { remoteAddress } from './remote-address.js';
import { type Caller, createReport, type Report } from './report-upload.js';
import { takeUpload, type UploadResult, type UploadStages } from './take-upload.js';

/**
 * The ingest endpoint: `POST /v1/logs` (docs/log-format.md), and whether the process is well. On node:http itself, since a
 * framework's request would buffer or wrap the stream that everything here rests on.
 */

/** Blocks being appended at once, over all uploads; each has some 130 KB. More only queue in the log. */
const MOST_APPENDS = 16;

export interface IngestDependencies {
  readonly log: EventLog;
  /** Answers from memory: it is asked for every upload. */
  readonly findIngestKey: FindIngestKey;
  readonly usage: UsageCounter;
  readonly outcomes: Outcomes;
  /** Null where keys are known and the log takes records; while not, uploads get 503. */
  readonly notReady: () => NotReady;
  readonly config: Pick<
    Config,
    | 'INGEST_MAX_BODY_BYTES'
    | 'INGEST_MAX_INFLATED_BYTES'
    | 'INGEST_MAX_LINE_BYTES'
    | 'INGEST_MAX_IN_FLIGHT'
    | 'INGEST_MAX_IN_FLIGHT_PER_WEBSITE'
    | 'INGEST_MAX_BYTES_PER_SECOND_PER_WEBSITE'
    | 'INGEST_MIN_BYTES_PER_SECOND'
    | 'INGEST_SLOW_GRACE_MS'
    | 'INGEST_PROXY_HOPS'
  >;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly newUploadId: () => string;
  readonly newRequestId: () => string;
  readonly logger: Logger;
  readonly metrics: Registry;
}

export type RequestListener = (request: IncomingMessage, response: ServerResponse) => void;

export interface IngestListener {
  /** For the events `request` and `checkContinue` of a node:http server. */
  readonly listener: RequestListener;
  /** Writes down what is still to be said. */
  stop(): void;
}

interface Ingest extends IngestDependencies {
  readonly stages: UploadStages;
  readonly admission: Admission;
  readonly inFlight: Gauge;
  readonly report: Report;
}

export function createIngest(dependencies: IngestDependencies): IngestListener {
  const { config, now, logger } = dependencies;
  const counters = createIngestMetrics(dependencies.metrics);
  const slots = createUploadSlots({
    total: config.INGEST_MAX_IN_FLIGHT,
    perWebsite: config.INGEST_MAX_IN_FLIGHT_PER_WEBSITE ?? null,
  });
  const report = createReport({ logger, counters, outcomes: dependencies.outcomes, now });
  const ingest: Ingest = {
    ...dependencies,
    inFlight: counters.inFlight,
    report,
    stages: createStages(dependencies, slots),
    admission: {
      ...dependencies,
      slots,
      byteRates: createByteRates({
        bytesPerSecond: config.INGEST_MAX_BYTES_PER_SECOND_PER_WEBSITE,
        now,
        sleep: (ms) => sleep(ms),
      }),
      quotas: createQuotas(dependencies),
      maxBytes: config.INGEST_MAX_BODY_BYTES,
    },
  };
  return {
    stop: report.stop,
    listener(request, response) {
      const caller: Caller = {
        requestId: dependencies.newRequestId(),
        address: remoteAddress(request, config.INGEST_PROXY_HOPS),
      };
      response.setHeader('x-request-id', caller.requestId);
      for (const [name, value] of Object.entries(commonHeaders)) response.setHeader(name, value);
      endUnreadBody(request, response);
      route(ingest, request, response, caller).catch((error: unknown) => {
        logger.error({ err: error, request_id: caller.requestId }, 'ingest: request failed');
        refuse(request, response, toPublicError(error));
      });
    },
  };
}

function createStages({ log, config, now }: IngestDependencies, slots: UploadSlots): UploadStages {
  let blocks = 0;
  return {
    log,
    // A website's first block is in the memory of its upload anyway.
    appends: createLimiter({ most: MOST_APPENDS, isFirstFree: true }),
    limits: {
      maxBytes: config.INGEST_MAX_BODY_BYTES,
      maxInflatedBytes: config.INGEST_MAX_INFLATED_BYTES,
      leastRate: {
        bytesPerSecond: config.INGEST_MIN_BYTES_PER_SECOND,
        graceMs: config.INGEST_SLOW_GRACE_MS,
      },
    },
    maxLineBytes: config.INGEST_MAX_LINE_BYTES,
    now,
    nextBlock: () => blocks++,
    uploadsInFlight: () => slots.taken,
  };
}

async function route(
  ingest: Ingest,
  request: IncomingMessage,
  response: ServerResponse,
  caller: Caller,
): Promise<void> {
  const url = request.url ?? '/';
  // Only the first question mark begins the query: a format of the sender's own may hold more.
  const queryAt = url.indexOf('?');
  const path = queryAt === -1 ? url : url.slice(0, queryAt);
  const search = queryAt === -1 ? '' : url.slice(queryAt + 1);
  const place = placeOf(path);
  if (place.kind === 'upload') {
    const sent = { path, query: new URLSearchParams(search), headers: request.headers };
    return answerUploadPath(ingest, request, response, { sent, pathKey: place.pathKey, caller });
  }
  if (place.kind === 'nowhere') {
    return refuse(
      request,
      response,
      new PublicError('not_found', `Nothing here; send logs to POST ${UPLOAD_PATH}.`),
    );
  }
  if (request.method !== 'GET' && request.method !== 'HEAD')
    return refuseMethod(request, response, 'GET, HEAD');
  if (place.kind === 'fastly-challenge') {
    // Any service of Fastly may send here: what lets an upload in is its key.
    return answerBody(request, response, 200, Buffer.from('*\n'), { 'content-type': 'text/plain' });
  }
  if (place.kind === 'elasticsearch')
    return answerJson(request, response, 200, elasticsearchGreeting, elasticsearchHeaders);
  if (path === '/healthz') return answerJson(request, response, 200, { status: 'ok' });
  const { status, body } = readyAnswer(ingest.notReady());
  answerJson(request, response, status, body);
}

async function answerUploadPath(
  ingest: Ingest,
  request: IncomingMessage,
  response: ServerResponse,
  { sent, pathKey, caller }: { sent: SenderRequest; pathKey: string | null; caller: Caller },
): Promise<void> {
  // Shippers and people look whether anyone is there: Vector's health check is a HEAD that must be 200.
  const verification = vercelVerification(sent.query);
  if (request.method === 'GET' || request.method === 'HEAD') {
    const body = {
      detail: `Send logs by POST ${UPLOAD_PATH} with the header X-API-Key.`,
    };
    return answerJson(request, response, 200, body, verification);
  }
  // Fastly's and Vector's settings offer PUT beside POST.
  if (request.method !== 'POST' && request.method !== 'PUT')
    return refuseMethod(request, response, 'POST, PUT, GET, HEAD');
  const startedAt = ingest.now();
  const sender = findSender(sent);
  const answer = (usual: SenderAnswer, tally: Tally | null) => {
    const shaped = sender.shapeAnswer(usual, sent, tally, ingest.now());
    const headers = { ...shaped.headers, ...verification };
    if (shaped.body instanceof Buffer) answerBody(request, response, shaped.status, shaped.body, headers);
    else answerJson(request, response, shaped.status, shaped.body, headers);
  };
  const admitted = admitUpload(ingest.admission, sent, pathKey, sender);
  if ('refusal' in admitted) {
    ingest.report.refused(admitted, caller);
    return answer(refusalOf(admitted.refusal), null);
  }
  ingest.inFlight.inc();
  try {
    if (request.headers.expect !== undefined) response.writeContinue();
    const result = await takeUpload(request, admitted.upload, ingest.stages);
    const error = result.failure === null ? null : toPublicError(result.failure);
    const left = error !== null && request.destroyed && !request.complete;
    const milliseconds = ingest.now() - startedAt;
    ingest.report.ended(admitted, result, { error, left, milliseconds }, caller);
    if (!left) answer(answerOf(admitted.upload, result, error), result.tally);
  } finally {
    admitted.leave();
    ingest.inFlight.dec();
  }
}

function answerOf(
  upload: Upload,
  { accepted, tally, progress }: UploadResult,
  error: PublicError | null,
): SenderAnswer {
  const { rejected, skipped, source, errors } = tally;
  const counts = { accepted, rejected, skipped, source, upload_id: upload.id, errors };
  const empty = accepted + rejected + skipped === 0 ? { note: 'The upload holds no lines.' } : {};
  const warning = progress.warning === undefined ? {} : { warning: progress.warning };
  return error === null
    ? { status: 200, headers: {}, body: { ...counts, ...empty, ...warning } }
    : refusalOf(error, counts);
}

function refuse(
  request: IncomingMessage,
  response: ServerResponse,
  error: PublicError,
  moreHeaders: Record<string, string> = {},
): void {
  const { status, body, headers } = refusalOf(error);
  answerJson(request, response, status, body, { ...headers, ...moreHeaders });
}

function refusalOf(error: PublicError, counts: Record<string, unknown> = {}): SenderAnswer {
  return {
    status: error.status,
    headers: errorHeaders(error),
    body: { detail: error.message, ...error.fields, ...counts },
  };
}

function refuseMethod(request: IncomingMessage, response: ServerResponse, allow: string): void {
  const error = new PublicError(
    'method_not_allowed',
    `Method ${request.method} is not supported here; use ${allow}.`,
  );
  refuse(request, response, error, { allow });
}
