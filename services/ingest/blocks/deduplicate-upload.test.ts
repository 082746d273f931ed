import { Readable } from 'node:stream';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { HOUR_MS } from '../../../shared/durations.js';
import { createLimiter } from '../../../shared/pacing/limiter.js';
import { decodeRawBlock, readDeduplicationId } from '../../../shared/requests/columns/raw-block-codec.js';
import { NOW, post, record, records, start, withKey } from '../../../test/harness/ingest/http.js';
import { plainUpload } from '../../../test/harness/ingest/take-body.js';
import { createMemoryEventLog } from '../../../test/harness/memory-event-log.js';
import { readUploadKey } from '../admission/upload-key.js';
import { storeBody } from '../http/receive-upload.js';
import { acceptedTimes } from '../records/accepted-times.js';
import { createBlockAppender } from './append-blocks.js';
import { cutAtStretches } from './cut-body.js';

/** Takes the body in chunks of the given sizes while `uploadsInFlight` uploads run. */
async function deliver(
  body: Buffer,
  {
    sizes,
    key = 'k',
    uploadsInFlight = 1,
    receivedAt = NOW,
  }: { sizes: number[]; key?: string; uploadsInFlight?: number; receivedAt?: number },
) {
  const log = createMemoryEventLog(8);
  const chunks: Buffer[] = [];
  for (let at = 0, turn = 0; at < body.length; turn++) {
    const size = sizes[turn % sizes.length] as number;
    chunks.push(body.subarray(at, at + size));
    at += size;
  }
  const request = Readable.from(chunks);
  let block = 0;
  const upload = { id: `u${Math.random()}`, websiteId: 'w', uploadKey: key };
  const result = await storeBody(
    request as never,
    {
      ...upload,
      ...plainUpload,
      maxLineBytes: 100_000,
      shape: null,
      encoding: 'identity',
      source: null,
      times: acceptedTimes(NOW, 30),
      waitForRate: async () => {},
      meter: { count: () => {}, end: () => {} },
      leave() {},
    },
    { maxBytes: 1e9, maxInflatedBytes: 1e9, leastRate: { bytesPerSecond: 1, graceMs: 60_000 } },
    createBlockAppender({
      ...{ log, websiteId: upload.websiteId, uploadId: upload.id, uploadKey: key },
      appends: createLimiter({ most: 16, isFirstFree: true }),
      now: () => receivedAt + block,
      nextBlock: () => block++,
      uploadsInFlight: () => uploadsInFlight,
    }),
  );
  expect(result.failure).toBeNull();
  const blocks = log.records('requests.raw').map(({ partition, value }) => ({
    id: readDeduplicationId(value),
    partition,
    targets: decodeRawBlock(value).requests.map(({ target }) => target),
  }));
  return new Map(blocks.map((one) => [one.id, one]));
}

function combinedLine(index: number): string {
  const at = new Date(NOW).toISOString().slice(11, 19);
  const day = new Date(NOW).toUTCString().slice(5, 16).replaceAll(' ', '/');
  const agent = index % 7 === 0 ? 'Bräuser/1' : `curl/${index % 5}`;
  return `192.0.2.${index % 250} - - [${day}:${at} +0000] "GET /${index}/${'x'.repeat(index % 900)} HTTP/1.1" 200 5 "-" "${agent}"`;
}

describe('a named upload', () => {
  const lines = Array.from({ length: 4_000 }, (_, index) => record(`/${index}/${'x'.repeat(index % 900)}`));
  /** Some are read from their bytes and some are not: chunks cut different ones. */
  const combined = lines.map((_, index) => combinedLine(index));
  const forms = {
    lines: Buffer.from(lines.join('\n')),
    array: Buffer.from(`[${lines.join(',\n')}]`),
    nested: Buffer.from(`{"logs": [${lines.join(',')}]}`),
    combined: Buffer.from(combined.join('\n')),
  };

  it.each(Object.entries(forms))(
    'is cut into the same blocks, in the same partitions, however its bytes arrive: %s',
    async (_name, body) => {
      const whole = await deliver(body, { sizes: [body.length] });
      expect(whole.size).toBeGreaterThan(4);
      expect([...whole.values()].flatMap(({ targets }) => targets)).toHaveLength(lines.length);
      await fc.assert(
        fc.asyncProperty(
          fc.array(fc.integer({ min: 1_000, max: 300_000 }), { minLength: 1, maxLength: 5 }),
          fc.integer({ min: 1, max: 64 }),
          async (sizes, uploadsInFlight) => {
            expect(await deliver(body, { sizes, uploadsInFlight })).toEqual(whole);
          },
        ),
        { numRuns: 15 },
      );
    },
  );

  it('shares no deduplication id with another name, or with other requests of the same name', async () => {
    const ids = async (body: Buffer, key: string) => [
      ...(await deliver(body, { sizes: [9_999], key })).keys(),
    ];
    const first = await ids(forms.lines, 'a');
    expect(first).not.toContain(null);
    const otherLines = Buffer.from(lines.map((line) => line.replace('"/', '"/other/')).join('\n'));
    const others = [...(await ids(forms.lines, 'b')), ...(await ids(otherLines, 'a'))];
    expect(first.filter((id) => others.includes(id))).toEqual([]);
  });

  it('is recognised if some requests are ahead of the clock and get another time at each receipt', async () => {
    const ahead = record('/ahead', new Date(NOW + HOUR_MS).toISOString());
    const body = Buffer.from([record('/past'), ahead].join('\n'));
    const ids = async (receivedAt: number) => [
      ...(await deliver(body, { sizes: [body.length], receivedAt })).keys(),
    ];
    expect(await ids(NOW + 5_000)).toEqual(await ids(NOW));
  });

  it('distinguishes its own equal blocks', async () => {
    const same = Buffer.from(`${record('/same')}\n`.repeat(2_000));
    const blocks = await deliver(same, { sizes: [same.length] });
    expect([...blocks.values()].flatMap(({ targets }) => targets)).toHaveLength(2_000);
  });
});

describe('the pieces of a chunk', () => {
  it('have all its bytes, and end at every multiple of 512 KiB of the body', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 1_300_000 }), { maxLength: 6 }), (sizes) => {
        let offset = 0;
        const ends: number[] = [];
        for (const size of sizes) {
          let inside = offset;
          for (const { bytes, endsStretch } of cutAtStretches(Buffer.alloc(size), offset)) {
            inside += bytes.length;
            if (endsStretch) ends.push(inside);
          }
          offset += size;
          expect(inside).toBe(offset);
        }
        const multiples = Array.from({ length: Math.floor(offset / 524_288) }, (_, i) => (i + 1) * 524_288);
        expect(ends).toEqual(multiples);
      }),
    );
  });
});

describe('the name of an upload', () => {
  it('is its Idempotency-Key, else the request id of Amazon Data Firehose, else there is none', () => {
    const key = readUploadKey({ 'idempotency-key': 'k', 'x-amz-firehose-request-id': 'f' }, 'w');
    expect(key).toBe(readUploadKey({ 'idempotency-key': 'k' }, 'w'));
    expect(readUploadKey({ 'x-amz-firehose-request-id': 'f' }, 'w')).not.toBeNull();
    expect(readUploadKey({}, 'w')).toBeNull();
  });

  it('is the request id of Amazon Data Firehose if the Idempotency-Key is empty', () => {
    const firehose = { 'x-amz-firehose-request-id': 'f' };
    expect(readUploadKey({ 'idempotency-key': '', ...firehose }, 'w')).toBe(readUploadKey(firehose, 'w'));
    expect(readUploadKey({ 'idempotency-key': '' }, 'w')).toBeNull();
  });

  it('differs for each website', () => {
    const headers = { 'idempotency-key': 'k' };
    expect(readUploadKey(headers, 'w1')).not.toBe(readUploadKey(headers, 'w2'));
  });

  it.each([
    ['Idempotency-Key', {}],
    ['X-Amz-Firehose-Request-Id', {}],
    ['X-Amz-Firehose-Request-Id', { 'idempotency-key': '' }],
    ['Idempotency-Key', { 'x-amz-firehose-request-id': 'f' }],
  ])('of the wrong form is 400 that names its header, %s, beside %o', async (header, beside) => {
    const { url, memory } = await start();
    for (const name of ['x'.repeat(256), 'a b']) {
      const { status, json } = await post(url, record('/a'), withKey({ ...beside, [header]: name }));
      expect(status).toBe(400);
      expect(json.detail ?? json.errorMessage).toMatch(
        new RegExp(`^${header}: expected 1 to 255 visible ASCII characters`),
      );
    }
    expect(memory.records('requests.raw')).toEqual([]);
  });

  it('reaches every block of the upload by HTTP; an upload without one has blocks without an id', async () => {
    const { url, memory } = await start();
    await post(url, records(1_200), withKey({ 'idempotency-key': 'upload-7' }));
    const named = memory.records('requests.raw').map(({ value }) => readDeduplicationId(value));
    expect(new Set(named).size).toBe(3);
    expect(named).not.toContain(null);
    await post(url, record('/plain'));
    const all = memory.records('requests.raw').map(({ value }) => readDeduplicationId(value));
    expect(all.filter((id) => id === null)).toHaveLength(1);
  });
});
