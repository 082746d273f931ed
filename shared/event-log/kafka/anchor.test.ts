import fc from 'fast-check';
import { expect, it } from 'vitest';
import { MAX_METADATA_BYTES, splitAnchor, withAnchor } from './anchor.js';

const anchors = fc.record({
  offset: fc.nat({ max: Number.MAX_SAFE_INTEGER }),
  appendedAt: fc.nat({ max: 8_640_000_000_000_000 }),
  digest: fc.nat({ max: 0xffffffff }),
});

it('text and anchor of a commit round-trip for any text, within the size that brokers store', () => {
  const texts = fc.oneof(fc.string({ unit: 'binary' }), fc.constant('plan:7\n@1.2.3'), fc.constant('\n@'));
  fc.assert(
    fc.property(texts, anchors, (metadata, anchor) => {
      const kept = withAnchor(metadata, anchor);
      expect(Buffer.byteLength(kept)).toBeLessThanOrEqual(MAX_METADATA_BYTES);
      expect(splitAnchor(kept)).toEqual({ metadata, anchor });
    }),
  );
});

it('omits the anchor if the text needs all the space', () => {
  const metadata = 'x'.repeat(MAX_METADATA_BYTES);
  expect(withAnchor(metadata, { offset: 1, appendedAt: 1, digest: 1 })).toBe(metadata);
});

it("reads the metadata of Kafka's own tools unchanged", () => {
  for (const text of ['', 'plan:7', 'a\n@b'])
    expect(splitAnchor(text)).toEqual({ metadata: text, anchor: null });
});
