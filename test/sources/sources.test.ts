import { readdirSync, readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { bodyShape } from '../../services/ingest/body/body-shape.js';
import { createBodySplitter } from '../../services/ingest/body/split-body.js';
import { createTally } from '../../services/ingest/outcomes/tally.js';
import { acceptedTimes } from '../../services/ingest/records/accepted-times.js';
import { findNamedSource } from '../../services/ingest/records/detect-source.js';
import { createRecordParser } from '../../services/ingest/records/parse-records.js';
import type { RawRequest } from '../../shared/requests/raw-request.js';

/**
 * Every folder `<source>/<case>` holds a body as a sender sends it and what must come of it. In `expected.json` a
 * request leaves out the fields that are absent ('' or null, and 0 bytes); `query` contains the parameters of the URL that describe the body. A new case is a folder.
 */

const folder = new URL('.', import.meta.url);
/** The cases' now: timestamps are judged by it. */
const NOW = Date.parse('2026-03-01T00:00:00Z');

const absent: Partial<RawRequest> = {
  method: '',
  host: '',
  target: '',
  protocol: '',
  bytes_sent: 0,
  time_taken_ms: null,
  user_agent: '',
  referrer: '',
  request_id: '',
  content_type: '',
  cache_status: '',
  source_country: '',
  source_asn: null,
  cdn_bot_category: '',
};

interface Outcome {
  readonly source: string | null;
  readonly skipped: number;
  /** All of them: a case stays below the number that answers report. */
  readonly rejected: readonly { readonly line: number; readonly reason: string }[];
  readonly requests: readonly RawRequest[];
}

function take(body: Buffer, chunkBytes: number, query: URLSearchParams): Outcome {
  const tally = createTally();
  const requests: RawRequest[] = [];
  const source = findNamedSource(query);
  const parser = createRecordParser({
    source,
    headers: {},
    query,
    times: acceptedTimes(NOW, 800),
    tally,
    onRequest: (request) => void requests.push(request),
    onInflated: () => {},
  });
  const splitter = createBodySplitter(
    { maxLineBytes: 256 * 1024, shape: bodyShape(source, undefined) },
    parser,
  );
  for (let at = 0; at < body.length; at += chunkBytes) splitter.onChunk(body.subarray(at, at + chunkBytes));
  splitter.onEnd();
  expect(tally.rejected).toBe(tally.errors.length);
  return { source: tally.source, skipped: tally.skipped, rejected: tally.errors, requests };
}

const folders = (url: URL) =>
  readdirSync(url, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name);

describe.each(folders(folder))('source %s', (source) => {
  it.each(folders(new URL(`${source}/`, folder)))('takes %s as expected, however it is chunked', (name) => {
    const directory = new URL(`${source}/${name}/`, folder);
    const file = readdirSync(directory).find((entry) => entry.startsWith('input.'))!;
    const sent = readFileSync(new URL(file, directory));
    const body = file.endsWith('.gz') ? gunzipSync(sent) : sent;
    const { query = '', ...written } = JSON.parse(readFileSync(new URL('expected.json', directory), 'utf8'));
    const said = new URLSearchParams(query);
    const expected = {
      ...written,
      requests: written.requests.map((request: object) => ({ ...absent, ...request })),
    };
    expect(take(body, body.length, said)).toEqual(expected);
    expect(take(body, 1, said)).toEqual(expected);
    expect(take(body, 7, said)).toEqual(expected);
  });
});
