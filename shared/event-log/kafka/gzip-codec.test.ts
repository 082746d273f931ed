import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { gzipCodec } from './gzip-codec.js';

const noise = (bytes: number) => Buffer.from(Array.from({ length: bytes }, (_, at) => (at * at * 31) >> 3));

test('a small batch is inflated synchronously, a large one in a thread', async () => {
  const small = Buffer.from('a decision');
  expect(gzipCodec.decompress(gzipSync(small))).toEqual(small);
  const large = noise(200_000);
  const inflating = gzipCodec.decompress(gzipSync(large, { level: 0 }));
  expect(inflating).toBeInstanceOf(Promise);
  expect(await inflating).toEqual(large);
});

test('compressed data inflates to the original', async () => {
  const batch = noise(5_000);
  expect(await gzipCodec.decompress(await gzipCodec.compress({ buffer: batch }))).toEqual(batch);
});

test('a damaged batch is an error in either way', async () => {
  const decompress = async (batch: Buffer) => gzipCodec.decompress(batch);
  await expect(decompress(Buffer.from('no gzip'))).rejects.toMatchObject({ code: 'Z_DATA_ERROR' });
  await expect(decompress(Buffer.alloc(100_000))).rejects.toMatchObject({ code: 'Z_DATA_ERROR' });
});
