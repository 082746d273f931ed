import { isIP } from 'node:net';
import { bodyShape } from '../../../services/ingest/body/body-shape.js';
import { createBodySplitter } from '../../../services/ingest/body/split-body.js';
import { createTally, type Tally } from '../../../services/ingest/outcomes/tally.js';
import { acceptedTimes } from '../../../services/ingest/records/accepted-times.js';
import { findNamedSource } from '../../../services/ingest/records/detect-source.js';
import { createRecordParser } from '../../../services/ingest/records/parse-records.js';
import { combined } from '../../../services/ingest/sources/combined/combined.js';
import { PublicError } from '../../../shared/errors.js';
import { type ColumnBuilder, createColumnBuilder } from '../../../shared/requests/columns/column-builder.js';
import {
  decodeRawBlock,
  encodeColumnBlock,
  encodeRawBlock,
} from '../../../shared/requests/columns/raw-block-codec.js';
import type { RawRequest } from '../../../shared/requests/raw-request.js';
import { sinkInto } from '../../harness/ingest/row-sink.js';

/** All steps of a body before the log, and the conditions that its requests must meet for any body. */

export const NOW = Date.parse('2026-03-01T00:00:00Z');
const times = acceptedTimes(NOW, 800);

export interface Tried {
  readonly tally: Tally;
  readonly requests: readonly RawRequest[];
  /** Whether the whole body was refused; the rest after that position was not read. */
  readonly isRefused: boolean;
}

/**
 * @throws for any error but a refusal, for an accepted request that can not be stored unchanged, or if the fast path for plain lines
 * has another result.
 */
export function tryBody(body: Buffer, said: string, chunkBytes: number): Tried {
  const slow = readBody(body, said, chunkBytes, null);
  for (const request of slow.requests) checkForm(request);
  if (slow.tally.source === combined.name) {
    // Rows that turn out to be no requests take space for a while.
    const builder = createColumnBuilder(slow.requests.length + MOST_LINES);
    const fast = readBody(body, said, chunkBytes, builder);
    if (JSON.stringify(fast.tally) !== JSON.stringify(slow.tally))
      throw new Error('the fast path counts other lines');
    checkEqual(decodeRawBlock(encodeColumnBlock(head, builder)).requests, slow.requests);
  }
  return slow;
}

/** More lines than any seed has. */
const MOST_LINES = 10_000;

/** @param builder takes the requests, plain lines by their bytes; null: no fast path. */
function readBody(body: Buffer, said: string, chunkBytes: number, builder: ColumnBuilder | null): Tried {
  const tally = createTally();
  const requests: RawRequest[] = [];
  const add = (request: RawRequest) =>
    void (builder === null ? requests.push(request) : builder.add(request));
  const query = new URLSearchParams(said);
  let isRefused = false;
  try {
    const source = findNamedSource(query);
    const parser = createRecordParser({
      source,
      headers: {},
      query,
      times,
      tally,
      onRequest: add,
      ...(builder === null ? {} : { rows: sinkInto(builder, Number.POSITIVE_INFINITY) }),
      onInflated: () => {},
    });
    const splitter = createBodySplitter(
      { maxLineBytes: 64 * 1024, shape: bodyShape(source, undefined) },
      parser,
    );
    for (let at = 0; at < body.length; at += chunkBytes) splitter.onChunk(body.subarray(at, at + chunkBytes));
    splitter.onEnd();
  } catch (error) {
    if (!(error instanceof PublicError)) throw error;
    isRefused = true;
  }
  return { tally, requests, isRefused };
}

/** @throws if a request violates the form that readers of the log expect. */
function checkForm(request: RawRequest): void {
  const wrong = (what: string) => new Error(`${what} is wrong: ${JSON.stringify(request)}`);
  const { timestamp, status, bytes_sent, time_taken_ms, source_asn } = request;
  if (!Number.isSafeInteger(timestamp) || timestamp < times.earliest || timestamp > times.latest)
    throw wrong('timestamp');
  if (isIP(request.client_ip) === 0) throw wrong('client_ip');
  if (!Number.isInteger(status) || status < 0 || status > 999) throw wrong('status');
  if (!Number.isInteger(bytes_sent) || bytes_sent < 0 || bytes_sent > 2 ** 50) throw wrong('bytes_sent');
  if (time_taken_ms !== null && !(Number.isInteger(time_taken_ms) && time_taken_ms >= 0))
    throw wrong('time_taken_ms');
  if (source_asn !== null && !(Number.isInteger(source_asn) && source_asn > 0)) throw wrong('source_asn');
  if (!/^([/*]|$)/.test(request.target) && request.protocol === '' && request.method !== 'CONNECT')
    throw wrong('target');
  if (!/^[A-Z0-9_-]{0,32}$/.test(request.method)) throw wrong('method');
  if (!/^[^A-Z\s"'/<>@?#]*$/.test(request.host)) throw wrong('host');
  if (!/^([A-Z]{2})?$/.test(request.source_country)) throw wrong('source_country');
}

const head = { website_id: 'w', source: 's', upload_id: 'u', received_at: NOW };

/** @throws if the log would return other requests. */
export function checkLogRoundTrip(requests: readonly RawRequest[]): void {
  checkEqual(decodeRawBlock(encodeRawBlock({ ...head, requests: [...requests] })).requests, requests);
}

/** @throws if the requests from the log differ from the parsed ones. */
function checkEqual(stored: readonly RawRequest[], parsed: readonly RawRequest[]): void {
  const read = JSON.stringify(stored);
  // UTF-8 can not represent half a surrogate pair: encoders write one to three replacement characters.
  const written = JSON.stringify(parsed, (_name, value) =>
    typeof value === 'string' ? Buffer.from(value).toString() : value,
  );
  if (withoutHalves(read) !== withoutHalves(written)) {
    throw new Error(`the log returns ${read.slice(0, 500)} for ${written.slice(0, 500)}`);
  }
}

const withoutHalves = (text: string) => text.replace(/\ufffd+/g, '\ufffd');
