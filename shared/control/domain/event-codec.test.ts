import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Decision } from './event.js';
import { decodeDecision, encodeDecision } from './event-codec.js';

const text = fc.string({ unit: 'binary', maxLength: 20 });
const decision = fc.record({
  id: text,
  at: text,
  by: fc.constantFrom('admin', 'system', 'api_key:key_1', 'user:usr_1') as fc.Arbitrary<Decision['by']>,
  events: fc.array(
    fc.record({
      aggregate: text,
      aggregateId: text,
      version: fc.integer({ min: 1, max: 2 ** 31 - 1 }),
      type: text,
      data: fc.dictionary(
        text.filter((name) => name !== '__proto__'),
        fc.oneof(text, fc.integer(), fc.boolean(), fc.constant(null)),
        { noNullPrototype: true },
      ),
    }),
    { maxLength: 4 },
  ),
});

const some: Decision = {
  ...{ id: 'dec1', at: '2026-11-21T12:00:00.000Z', by: 'admin' },
  events: [{ aggregate: 'website', aggregateId: 'web1', version: 1, type: 'website.added', data: {} }],
};

describe('control.events codec', () => {
  test('round-trips', () => {
    fc.assert(
      fc.property(decision, (each) => {
        expect(decodeDecision(encodeDecision(each))).toEqual(each);
      }),
    );
  });

  test.each([
    ['an unknown version', Buffer.from([2, 0, 0, 0, 0]), 'unknown schema id 2'],
    ['an empty value', Buffer.alloc(0), 'unknown schema id undefined'],
    ['a value cut short', encodeDecision(some).subarray(0, 20), 'truncated'],
  ])('%s is an error', (_what, value, message) => {
    expect(() => decodeDecision(value)).toThrow(message);
  });
});
