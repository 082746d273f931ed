import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readText } from './read-text.js';

const LIMIT = { maxInflatedBytes: 1_000_000 };

async function* chunked(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function textOf(bytes: Uint8Array, size = 1_000, limit = LIMIT): Promise<string> {
  let text = '';
  for await (const part of readText(chunked(bytes, size), limit)) text += part;
  return text;
}

test('a text is read completely, compressed or not, for any split', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.string({ unit: 'grapheme', maxLength: 200 }),
      fc.integer({ min: 1, max: 9 }),
      async (text, size) => {
        // A byte order mark is removed: it is not text.
        fc.pre(!text.startsWith('\ufeff'));
        const bytes = Buffer.from(text);
        expect(await textOf(bytes, size)).toBe(text);
        expect(await textOf(gzipSync(bytes), size)).toBe(text);
      },
    ),
    { numRuns: 50 },
  );
});

test('byte order marks determine the encoding, and are not text', async () => {
  expect(await textOf(Buffer.from('\ufeffä'))).toBe('ä');
  expect(await textOf(Buffer.from('\ufeffä', 'utf16le'))).toBe('ä');
  expect(await textOf(Buffer.from('\ufeffä', 'utf16le').swap16())).toBe('ä');
});

test('gzip with several members is one text', async () => {
  expect(await textOf(Buffer.concat([gzipSync('one '), gzipSync('two')]))).toBe('one two');
});

test('a decompression bomb is refused after the limit, before its gigabyte is inflated', async () => {
  const bomb = gzipSync(Buffer.alloc(64 * 1024 ** 2));
  let seen = 0;
  const read = async () => {
    for await (const part of readText(chunked(bomb, 65_536), LIMIT)) seen += part.length;
  };
  await expect(read()).rejects.toMatchObject({ code: 'too_large' });
  expect(seen).toBeLessThanOrEqual(LIMIT.maxInflatedBytes);
});

test('a text that is too long is also refused without gzip', async () => {
  await expect(textOf(Buffer.alloc(2_000_000, 65))).rejects.toMatchObject({ code: 'too_large' });
});

test('truncated gzip is reported as broken_gzip', async () => {
  const bytes = gzipSync(Buffer.from('x'.repeat(5_000)));
  await expect(textOf(bytes.subarray(0, bytes.length - 4))).rejects.toMatchObject({ code: 'broken_gzip' });
  await expect(textOf(Buffer.concat([Buffer.of(0x1f, 0x8b), Buffer.from('no gzip')]))).rejects.toMatchObject({
    code: 'broken_gzip',
  });
});

test('errors of the connection are thrown unchanged, also inside gzip', async () => {
  const failure = new Error('connection reset');
  async function* broken(): AsyncGenerator<Uint8Array> {
    yield gzipSync(Buffer.from('x'.repeat(5_000))).subarray(0, 20);
    throw failure;
  }
  const read = async () => {
    for await (const _ of readText(broken(), LIMIT));
  };
  await expect(read()).rejects.toBe(failure);
});

test('a consumer that stops reading releases the connection', async () => {
  for (const bytes of [Buffer.alloc(100_000, 65), gzipSync(Buffer.alloc(900_000, 65), { level: 0 })]) {
    let closed = false;
    async function* body(): AsyncGenerator<Uint8Array> {
      try {
        yield* chunked(bytes, 1_000);
      } finally {
        closed = true;
      }
    }
    for await (const _ of readText(body(), LIMIT)) break;
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(closed).toBe(true);
  }
});
