import { deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { runs } from '../../../test/harness/runs.js';
import { type Framing, inflateAsStream, inflateAtOnce } from './zlib-forms.js';

const pack = { gzip: gzipSync, zlib: deflateSync, raw: deflateRawSync } as const;

async function streamed(body: Buffer, framing: Framing): Promise<Buffer[] | null> {
  async function* chunks() {
    yield body;
  }
  const inflated: Buffer[] = [];
  let isWhole = true;
  const onTrailing = () => {
    isWhole = false;
  };
  try {
    for await (const chunk of inflateAsStream(chunks(), framing, onTrailing))
      if (chunk.length > 0) inflated.push(chunk);
  } catch {
    return null;
  }
  return isWhole ? inflated : null;
}

const framings = fc.constantFrom<Framing>('gzip', 'zlib', 'raw');
const texts = fc
  .array(fc.uint8Array({ maxLength: 300 }), { maxLength: 4 })
  .map((parts) => Buffer.concat(parts));
/** A body that is packed, cut, lengthened, or has one changed byte; for gzip also two members. */
const bodies = fc
  .record({
    framing: framings,
    text: texts,
    members: fc.integer({ min: 1, max: 2 }),
    harm: fc.option(
      fc.record({
        kind: fc.constantFrom('cut', 'more', 'change'),
        at: fc.nat(),
        byte: fc.integer({ min: 1, max: 255 }),
      }),
    ),
  })
  .map(({ framing, text, members, harm }) => {
    const one = pack[framing](text);
    const body = Buffer.concat(Array.from({ length: framing === 'gzip' ? members : 1 }, () => one));
    if (harm === null) return { framing, body };
    const at = harm.at % body.length;
    if (harm.kind === 'cut') return { framing, body: body.subarray(0, at) };
    if (harm.kind === 'more') return { framing, body: Buffer.concat([body, Buffer.from([harm.byte])]) };
    body[at]! ^= harm.byte;
    return { framing, body };
  });

test('gives the same bytes as a stream, and nothing if the stream fails', async () => {
  await fc.assert(
    fc.asyncProperty(bodies, async ({ framing, body }) => {
      const [atOnce, asStream] = [inflateAtOnce(body, framing), await streamed(body, framing)];
      expect(atOnce && Buffer.concat(atOnce)).toEqual(asStream && Buffer.concat(asStream));
    }),
    { numRuns: runs(1_000) },
  );
});

test('gives chunks of a stream’s length, up to half a mebibyte, and leaves longer bodies to the stream', async () => {
  const most = 512 * 1024;
  const body = gzipSync(Buffer.alloc(most, 'a line'));
  expect(inflateAtOnce(body, 'gzip')).toEqual(await streamed(body, 'gzip'));
  expect(inflateAtOnce(gzipSync(Buffer.alloc(most + 1)), 'gzip')).toBeNull();
});
