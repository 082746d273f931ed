import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { forty, singleSegment, skippable, storeZstd, zstdBomb } from '../../test/harness/ingest/zstd.js';
import { runs } from '../../test/harness/runs.js';
import { inflateZstd, USUAL_WINDOW_BYTES, ZstdError } from './inflate-zstd.js';

async function* chunksOf(bytes: Buffer, size: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function inflate(bytes: Buffer, chunkBytes = 65_536): Promise<Buffer> {
  const pieces: Buffer[] = [];
  const inflated = inflateZstd(chunksOf(bytes, chunkBytes), { maxWindowBytes: USUAL_WINDOW_BYTES });
  for await (const piece of inflated) pieces.push(piece);
  return Buffer.concat(pieces);
}

const line = '198.51.100.7 - - [14/Feb/2026:08:15:30 +0000] "GET /shoes HTTP/1.1" 200 18342\n';

describe('zstd', () => {
  it('data of the real compressor is inflated completely, for any chunk size', async () => {
    for (const size of [1, 2, 7, 65_536])
      expect((await inflate(forty, size)).toString()).toBe(line.repeat(40));
  });

  it('data of many frames is inflated completely, with empty and skippable frames', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.uint8Array({ maxLength: 3_000 }), { minLength: 1, maxLength: 12 }),
        fc.integer({ min: 1, max: 5_000 }),
        async (contents, size) => {
          const frames = contents.flatMap((one) => [
            storeZstd(Buffer.from(one)),
            skippable(Buffer.from('note')),
          ]);
          expect(await inflate(Buffer.concat(frames), size)).toEqual(Buffer.concat(contents));
        },
      ),
      { numRuns: 60 },
    );
  });

  it('a window of 8 MiB is accepted, and nothing is allocated for a larger one', async () => {
    expect((await inflate(storeZstd(Buffer.from('a'), 13 << 3))).toString()).toBe('a');
    for (const frame of [
      storeZstd(Buffer.from('a'), (13 << 3) | 1),
      storeZstd(Buffer.from('a'), 255),
      singleSegment(BigInt(USUAL_WINDOW_BYTES) + 1n),
      singleSegment(2n ** 63n),
      Buffer.concat([storeZstd(Buffer.from('a')), storeZstd(Buffer.from('b'), 255)]),
    ])
      await expect(inflate(frame, 5)).rejects.toThrow(/window is \d+ bytes; at most 8388608/);
  });

  it('a decompression bomb is inflated in pieces, and the reader may stop', async () => {
    let bytes = 0;
    for await (const piece of inflateZstd(chunksOf(zstdBomb(100_000, 32), 65_536), {
      maxWindowBytes: USUAL_WINDOW_BYTES,
    })) {
      expect(piece.length).toBeLessThanOrEqual(128 * 1024);
      bytes += piece.length;
      if (bytes > 1_000_000) break;
    }
    expect(bytes).toBeLessThan(1_200_000);
  });

  it('truncated data is refused at every length', async () => {
    for (let end = 1; end < forty.length; end++)
      await expect(inflate(forty.subarray(0, end))).rejects.toThrow(ZstdError);
  });

  it('damaged data is refused or inflated, and never hangs', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.nat(forty.length - 1), fc.nat(255)), { minLength: 1, maxLength: 6 }),
        async (changes) => {
          const bytes = Buffer.from(forty);
          for (const [at, value] of changes) bytes[at] = value;
          await inflate(bytes).catch((error) => expect(error).toBeInstanceOf(ZstdError));
        },
      ),
      { numRuns: runs(300) },
    );
  });

  it('concurrent streams do not share data', async () => {
    const contents = Array.from({ length: 12 }, (_, index) => Buffer.alloc(400_000, 65 + index));
    const inflated = await Promise.all(contents.map((content) => inflate(storeZstd(content), 10_000)));
    expect(inflated.map((one, index) => one.equals(contents[index]!))).toEqual(contents.map(() => true));
  });
});
