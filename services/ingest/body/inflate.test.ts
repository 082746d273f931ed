import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { type BodyLimits, readBody } from './inflate.js';

const limits: BodyLimits = {
  maxBytes: 1e8,
  maxInflatedBytes: 1e8,
  leastRate: { bytesPerSecond: 1, graceMs: 60_000 },
  pass: async () => {},
};

async function inflated(chunks: readonly Buffer[]): Promise<Buffer> {
  const parts: Buffer[] = [];
  const progress = { received: 0, inflated: 0 };
  for await (const part of readBody(Readable.from(chunks), 'gzip', limits, progress)) parts.push(part);
  return Buffer.concat(parts);
}

// What comes first is a whole body by itself, as long as it may be to be inflated at once, or longer.
test.each([20_000, 33_000, 70_000])(
  'goes on behind a gzip member of %d bytes that a chunk ends with',
  async (bytes) => {
    const [first, second] = [randomBytes(bytes), randomBytes(50_000)];
    const body = await inflated([gzipSync(first), gzipSync(second)]);
    expect(body.equals(Buffer.concat([first, second]))).toBe(true);
  },
);
