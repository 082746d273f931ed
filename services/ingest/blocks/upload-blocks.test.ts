import fc from 'fast-check';
import { expect, it } from 'vitest';
import { plainRequest } from '../../enricher/sink/plain-request.js';
import { acceptedTimes } from '../records/accepted-times.js';
import { combined } from '../sources/combined/combined.js';
import { createUploadBlocks, type UploadBlocks } from './upload-blocks.js';

const options = (now: number, uploadsInFlight = 1) => ({
  websiteId: 'w',
  uploadId: 'u',
  uploadKey: null,
  now: () => now,
  uploadsInFlight: () => uploadsInFlight,
});
const blocksAt = (now: number, uploadsInFlight = 1) => createUploadBlocks(options(now, uploadsInFlight));

it('a block that can’t be encoded is released once: no two uploads share its builder', () => {
  const failing = blocksAt(Number.NaN);
  failing.add(plainRequest(), 'combined');
  expect(() => failing.close()).toThrow();
  failing.discard();
  const [one, other] = [blocksAt(2), blocksAt(2)];
  expect(one.room('combined')!.builder).not.toBe(other.room('combined')!.builder);
});

const NOW = Date.parse('2026-11-24T12:00:00Z');
const facts = { headers: {}, query: new URLSearchParams() };
const lineOf = (targetBytes: number) =>
  `203.0.113.7 - - [17/Nov/2026:12:00:02 +0000] "GET /${'x'.repeat(targetBytes)} HTTP/1.1" 200 5 "-" "curl/8" 0.001 example.com`;

/** Length of a target whose request counts 1,024 bytes, so that a whole number of requests fills a block. */
const EXACT = 1_024 - 64 - '/curl/8example.com'.length;

/** Ends the open block and returns the number of requests of each block. */
function sizesOf(blocks: UploadBlocks): number[] {
  blocks.close();
  const sizes: number[] = [];
  for (let block = blocks.take(); block !== undefined; block = blocks.take()) sizes.push(block.requests);
  return sizes;
}

it('ends blocks at the same requests, whether they are added one by one or read as lines', () => {
  const length = fc.oneof(
    fc.constant(1),
    fc.constant(EXACT),
    fc.integer({ min: 0, max: 300 }),
    fc.constant(8_000),
  );
  const lengths = fc.array(fc.tuple(length, fc.constantFrom(1, 3, 900)), { minLength: 1, maxLength: 8 });
  fc.assert(
    fc.property(lengths, fc.constantFrom(1, 12, 13, 40, 900, 100_000), (runs, uploads) => {
      const lines = runs.flatMap(([bytes, times]) => new Array<string>(times).fill(lineOf(bytes)));
      const one = blocksAt(NOW, uploads);
      one.count(0);
      const parser = combined.open(facts);
      for (const line of lines) one.add(parser.parse(line) as never, combined.name);

      const other = blocksAt(NOW, uploads);
      other.count(0);
      const reader = combined.open(facts).openPlainReader!(acceptedTimes(NOW, 400), other);
      const body = Buffer.from(lines.map((line) => `${line}\n`).join(''));
      reader.begin(body);
      expect(reader.read(0, body.length, 64 * 1024)).toBe(body.length);
      expect(sizesOf(other)).toEqual(sizesOf(one));
    }),
    { numRuns: 60 },
  );
});

it('takes one more row if more uploads have made an open block full', () => {
  let uploads = 1;
  const blocks = createUploadBlocks({ ...options(NOW), uploadsInFlight: () => uploads });
  blocks.count(0);
  for (let row = 0; row < 1_000; row += 1) blocks.add(plainRequest(), combined.name);
  uploads = 100;
  blocks.count(0);
  const { builder, rows } = blocks.room(combined.name)!;
  expect(rows).toBe(1);
  const reader = combined.open(facts).openPlainReader!(acceptedTimes(NOW, 400), blocks);
  const body = Buffer.from(`${lineOf(1)}\n`.repeat(2));
  reader.begin(body);
  expect(reader.read(0, body.length, 1_000)).toBe(body.length);
  expect(blocks.take()!.requests).toBe(1_001);
  expect(sizesOf(blocks)).toEqual([1]);
  expect(builder.rows).toBe(0);
});
