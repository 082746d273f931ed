import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeCursor, encodeCursor } from './cursor.js';

const cursors = fc.record({
  after: fc.record({
    timestamp_ms: fc.integer({ min: 0, max: 4e12 }),
    log_partition: fc.integer({ min: 0, max: 65_535 }),
    log_offset: fc.maxSafeNat(),
    log_index: fc.integer({ min: 0, max: 4_294_967_295 }),
  }),
  window: fc
    .tuple(fc.integer({ min: 0, max: 4e12 }), fc.integer({ min: 1, max: 366 * 86_400_000 }))
    .map(([start, length]) => ({ start, end: start + length })),
});

describe('cursor', () => {
  it('is decoded as it was encoded, and needs no escaping in an address', () => {
    fc.assert(
      fc.property(cursors, fc.jsonValue(), (cursor, question) => {
        const text = encodeCursor(cursor, question);
        expect(text).toMatch(/^[\w-]{1,400}$/);
        expect(decodeCursor(text, question)).toEqual(cursor);
      }),
    );
  });

  it('is accepted only for its own question', () => {
    fc.assert(
      fc.property(cursors, fc.string(), fc.string(), (cursor, one, other) => {
        fc.pre(one !== other);
        expect(() => decodeCursor(encodeCursor(cursor, one), other)).toThrow(/other filters/);
      }),
    );
  });

  it('refuses every other text with a public error', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.base64String(), fc.json()), (text) => {
        for (const form of [text, Buffer.from(text).toString('base64url')]) {
          expect(() => decodeCursor(form, null)).toThrow(
            expect.objectContaining({ code: 'invalid_request' }),
          );
        }
      }),
    );
  });
});
