import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { type BodyLimits, inflateBody } from './inflate.js';
import { inPieces } from './zlib-forms.js';

const limits: BodyLimits = {
  maxBytes: 1e8,
  maxInflatedBytes: 1e8,
  leastRate: { bytesPerSecond: 1, graceMs: 60_000 },
  waitForRate: async () => {},
};

async function inflated(chunks: readonly Buffer[]): Promise<Buffer> {
  const parts: Buffer[] = [];
  const progress = { received: 0, inflated: 0 };
  for await (const part of inflateBody(Readable.from(chunks), 'gzip', limits, progress)) parts.push(part);
  return Buffer.concat(parts);
}

// The first part is a whole body, either short enough to be inflated at once or longer.
test.each([20_000, 33_000, 70_000])(
  'goes on behind a gzip member of %d bytes that a chunk ends with',
  async (bytes) => {
    const [first, second] = [randomBytes(bytes), randomBytes(50_000)];
    const body = await inflated([gzipSync(first), gzipSync(second)]);
    expect(body.equals(Buffer.concat([first, second]))).toBe(true);
  },
);

test.each([1, 7, 1_000])(
  'gathers a short body, and the begin of a longer one, from pieces of %d bytes',
  async (bytes) => {
    for (const text of [
      Buffer.from('a line'),
      randomBytes(5_000),
      randomBytes(32 * 1024),
      randomBytes(40_000),
    ]) {
      const sent = gzipSync(text);
      expect((await inflated(inPieces(sent, bytes))).equals(text)).toBe(true);
    }
  },
);

test('returns the bytes before the damage of a short body', async () => {
  const text = randomBytes(12_000);
  const sent = gzipSync(text);
  sent[sent.length - 6]! ^= 1;
  const parts: Buffer[] = [];
  const reading = (async () => {
    const progress = { received: 0, inflated: 0 };
    for await (const part of inflateBody(Readable.from(inPieces(sent, 1_000)), 'gzip', limits, progress))
      parts.push(part);
  })();
  await expect(reading).rejects.toThrow(/can't be decompressed/);
  const returned = Buffer.concat(parts);
  expect(returned.length).toBeGreaterThan(4_000);
  expect(returned.equals(text.subarray(0, returned.length))).toBe(true);
});
