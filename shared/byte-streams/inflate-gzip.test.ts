import { randomBytes } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { describe, expect, it, test } from 'vitest';
import { CutShortError, inflateGzip } from './inflate-gzip.js';

const noise = randomBytes(50_000);
const text = Buffer.alloc(3_000_000, 'a line of a log\n');

async function inflated(body: Buffer, pieceBytes: number) {
  async function* pieces() {
    for (let at = 0; at < body.length; at += pieceBytes) yield body.subarray(at, at + pieceBytes);
  }
  const parts: Buffer[] = [];
  let trailing = 0;
  let failure: unknown = null;
  const onTrailing = (bytes: number) => {
    trailing = bytes;
  };
  try {
    for await (const part of inflateGzip(pieces(), { chunkBytes: 128 * 1024, onTrailing })) parts.push(part);
  } catch (error) {
    failure = error;
  }
  return { bytes: Buffer.concat(parts), trailing, failure };
}

describe.each([1, 7, 1_000, 64 * 1024, 1e9])('from pieces of %d bytes', (pieceBytes) => {
  it('yields the members one after the other, without the padding', async () => {
    const body = Buffer.concat([gzipSync(noise), gzipSync(text), gzipSync(''), Buffer.alloc(700)]);
    const { bytes, trailing, failure } = await inflated(body, pieceBytes);
    expect([bytes.equals(Buffer.concat([noise, text])), trailing, failure]).toEqual([true, 0, null]);
  });

  it('yields all data before foreign bytes, and reports the number of these bytes', async () => {
    const { bytes, trailing, failure } = await inflated(
      Buffer.concat([gzipSync(text), Buffer.from('garbage')]),
      pieceBytes,
    );
    expect([bytes.equals(text), trailing, failure]).toEqual([true, 7, null]);
  });

  it.each([30_000, 49_999, -8, -3])('yields all data before an early end, at %d', async (end) => {
    const body = gzipSync(noise, { level: 0 }).subarray(0, end);
    const { bytes, failure } = await inflated(body, pieceBytes);
    expect(failure).toBeInstanceOf(CutShortError);
    expect(bytes.length).toBeGreaterThan(body.length - 30);
    expect(bytes.equals(noise.subarray(0, bytes.length))).toBe(true);
  });

  it('fails on a changed byte', async () => {
    const body = gzipSync(noise, { level: 0 });
    body[20_000]! ^= 1;
    expect((await inflated(body, pieceBytes)).failure).toMatchObject({ code: 'Z_DATA_ERROR' });
  });
});

test('skips the name, comment, extra field and checksum of a header', async () => {
  const plain = gzipSync('a');
  const header = Buffer.from([0x1f, 0x8b, 8, 0b11110, 0, 0, 0, 0, 0, 3, 2, 0, 120, 121]);
  const body = Buffer.concat([header, Buffer.from('name\0comment\0'), Buffer.alloc(2), plain.subarray(10)]);
  expect(await inflated(body, 3)).toMatchObject({ bytes: Buffer.from('a'), failure: null });
});

describe('many members', () => {
  const members = (count: number, content: string) =>
    Buffer.concat(Array<Buffer>(count).fill(gzipSync(content)));

  it.each([1e9, 1_000])('are read where each has a line, from pieces of %d bytes', async (pieceBytes) => {
    const { bytes, failure } = await inflated(members(3_000, `${'a'.repeat(63)}\n`), pieceBytes);
    expect([bytes.length, failure]).toEqual([3_000 * 64, null]);
  });

  it.each([
    ['', 0],
    ['\n', 1],
  ])('fail where they hold next to nothing: %j', async (content, length) => {
    const { bytes, failure } = await inflated(members(20_000, content), 64 * 1024);
    expect(failure).toMatchObject({ code: 'Z_DATA_ERROR', message: expect.stringContaining('members') });
    expect(bytes.length).toBeLessThan(1_100 * Math.max(1, length));
    expect(await inflated(members(1_000, content), 64 * 1024)).toMatchObject({ failure: null });
  });

  it('fail where the check of a short one is wrong', async () => {
    const body = members(2, 'a line');
    body[body.length - 5]! ^= 1;
    expect((await inflated(body, 1e9)).failure).toMatchObject({ code: 'Z_DATA_ERROR' });
  });
});

test('lets go of the chunks where reading stops early', async () => {
  let isClosed = false;
  async function* endless() {
    try {
      yield gzipSync(text);
      for (;;) yield Buffer.alloc(10);
    } finally {
      isClosed = true;
    }
  }
  for await (const _ of inflateGzip(endless(), { chunkBytes: 4_096, onTrailing() {} })) break;
  expect(isClosed).toBe(true);
});

test('rethrows errors of the chunks', async () => {
  async function* broken() {
    yield gzipSync(noise).subarray(0, 1_000);
    throw new Error('gone');
  }
  const reading = (async () => {
    for await (const _ of inflateGzip(broken(), { chunkBytes: 4_096, onTrailing() {} }));
  })();
  await expect(reading).rejects.toThrow('gone');
});
