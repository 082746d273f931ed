import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Registry } from 'prom-client';
import type { Config } from '../../../shared/config.js';
import { PublicError } from '../../../shared/errors.js';
import type { EventLog } from '../../../shared/event-log/event-log.js';
import type { Logger } from '../../../shared/logging/log.js';
import { type NotReady, readyAnswer } from '../../../shared/service/readiness.js';
import type { UsageCounter } from '../../../shared/usage/usage-counter.js';
import type { FindKeyOwner } from '../admission/authenticate.js';
import { createByteRates } from '../admission/byte-rates.js';
import { createQuotas } from '../admission/quota.js';
import { createUploadSlots } from '../admission/upload-slots.js';
import { createAppenders } from '../blocks/append-blocks.js';
import type { Outcomes } from '../outcomes/collect-outcomes.js';
import { elasticsearchGreeting, elasticsearchHeaders } from '../senders/elasticsearch.js';
import { vercelVerification } from '../senders/vercel.js';
import { answerBody, answerJson, commonHeaders, endUnreadBody, refuse, toPublicError } from './answer.js';
import { createIngestMetrics } from './ingest-metrics.js';
import { placeOf, UPLOAD_PATH } from './paths.js';
import { receiveUpload, type UploadCall, type UploadServices } from './receive-upload.js';
import { remoteAddress } from './remote-address.js';
import { type Caller, createReport } from './report-upload.js';

/**
 * The ingest endpoint: `POST /v1/logs` (docs/log-format.md), and the health of the process. It uses node:http
 * directly, because a framework's request would buffer or wrap the stream.
 */

export interface IngestDependencies {
  readonly log: EventLog;
  /** Must answer from memory, because every upload calls it. */
  readonly findKeyOwner: FindKeyOwner;
  readonly usage: UsageCounter;
  readonly outcomes: Outcomes;
  /** Null if keys are known and the log takes records; otherwise uploads get 503. */
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
  /** Writes the remaining log lines. */
  stop(): void;
}

export function createIngest({
  log,
  findKeyOwner,
  usage,
  outcomes,
  notReady,
  config,
  now,
  newUploadId,
  newRequestId,
  logger,
  metrics,
}: IngestDependencies): IngestListener {
  const slots = createUploadSlots({
    total: config.INGEST_MAX_IN_FLIGHT,
    perWebsite: config.INGEST_MAX_IN_FLIGHT_PER_WEBSITE ?? null,
  });
  const uploadsInFlight = () => slots.taken;
  const counters = createIngestMetrics(metrics, uploadsInFlight);
  const report = createReport({ logger, counters, outcomes, now });
  const byteRates = createByteRates({
    bytesPerSecond: config.INGEST_MAX_BYTES_PER_SECOND_PER_WEBSITE,
    now,
    sleep: (ms) => sleep(ms),
  });
  const maxBytes = config.INGEST_MAX_BODY_BYTES;
  const uploads: UploadServices = {
    notReady,
    findKeyOwner,
    admission: {
      ...{ slots, byteRates, quotas: createQuotas({ usage, now }) },
      ...{ maxBytes, maxLineBytes: config.INGEST_MAX_LINE_BYTES, now, newUploadId },
    },
    limits: {
      maxBytes,
      maxInflatedBytes: config.INGEST_MAX_INFLATED_BYTES,
      leastRate: {
        bytesPerSecond: config.INGEST_MIN_BYTES_PER_SECOND,
        graceMs: config.INGEST_SLOW_GRACE_MS,
      },
    },
    openBlocks: createAppenders({ log, now, uploadsInFlight }),
    report,
    now,
  };
  return {
    stop: report.stop,
    listener(request, response) {
      const caller: Caller = {
        requestId: newRequestId(),
        address: remoteAddress(request, config.INGEST_PROXY_HOPS),
      };
      response.setHeader('x-request-id', caller.requestId);
      for (const [name, value] of Object.entries(commonHeaders)) response.setHeader(name, value);
      endUnreadBody(request, response);
      route(request, response, caller, uploads).catch((error: unknown) => {
        logger.error({ err: error, request_id: caller.requestId }, 'ingest: request failed');
        refuse(request, response, toPublicError(error));
      });
    },
  };
}

async function route(
  request: IncomingMessage,
  response: ServerResponse,
  caller: Caller,
  uploads: UploadServices,
): Promise<void> {
  const url = request.url ?? '/';
  // Only the first question mark begins the query: a custom format may have more.
  const queryAt = url.indexOf('?');
  const path = queryAt === -1 ? url : url.slice(0, queryAt);
  const search = queryAt === -1 ? '' : url.slice(queryAt + 1);
  const place = placeOf(path);
  if (place.kind === 'upload') {
    const sent = { path, query: new URLSearchParams(search), headers: request.headers };
    return routeUpload({ request, response, sent, pathKey: place.pathKey, caller }, uploads);
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
    // Any service of Fastly may send here, because uploads need a key.
    return answerBody(request, response, 200, Buffer.from('*\n'), { 'content-type': 'text/plain' });
  }
  if (place.kind === 'elasticsearch')
    return answerJson(request, response, 200, elasticsearchGreeting, elasticsearchHeaders);
  if (path === '/healthz') return answerJson(request, response, 200, { status: 'ok' });
  const { status, body } = readyAnswer(uploads.notReady());
  answerJson(request, response, status, body);
}

async function routeUpload(call: UploadCall, uploads: UploadServices): Promise<void> {
  const { request, response, sent } = call;
  // Shippers and people check that the address answers: Vector's health check is a HEAD that must be 200.
  if (request.method === 'GET' || request.method === 'HEAD') {
    const body = {
      detail: `Send logs by POST ${UPLOAD_PATH} with the header X-API-Key.`,
    };
    return answerJson(request, response, 200, body, vercelVerification(sent.query));
  }
  // Fastly's and Vector's settings offer PUT beside POST.
  if (request.method !== 'POST' && request.method !== 'PUT')
    return refuseMethod(request, response, 'POST, PUT, GET, HEAD');
  return receiveUpload(call, uploads);
}

function refuseMethod(request: IncomingMessage, response: ServerResponse, allow: string): void {
  const error = new PublicError(
    'method_not_allowed',
    `Method ${request.method} is not supported here; use ${allow}.`,
  );
  refuse(request, response, error, { allow });
}
