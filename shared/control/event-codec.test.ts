import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Decision } from './event.js';
import { decodeDecision, encodeDecision } from './event-codec.js';

/** As release 0.1 wrote it. Never edited: such bytes stand in logs. */
const V1 =
  '01086465633130323032362d31312d32315431323a30303a30302e3030305a0a61646d696e020e776562736974' +
  '650877656231021a776562736974652e61646465642c7b22646f6d61696e223a22612e6578616d706c65227d00';

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

describe('control.events codec', () => {
  test('what is encoded is decoded again', () => {
    fc.assert(
      fc.property(decision, (each) => {
        expect(decodeDecision(encodeDecision(each))).toEqual(each);
      }),
    );
  });

  test('version 1 stays readable', () => {
    expect(decodeDecision(Buffer.from(V1, 'hex'))).toEqual({
      id: 'dec1',
      at: '2026-11-21T12:00:00.000Z',
      by: 'admin',
      events: [
        {
          aggregate: 'website',
          aggregateId: 'web1',
          version: 1,
          type: 'website.added',
          data: { domain: 'a.example' },
        },
      ],
    });
  });

  test.each([
    ['an unknown version', Buffer.from([2, 0, 0, 0, 0]), 'unknown schema version 2'],
    ['an empty value', Buffer.alloc(0), 'unknown schema version undefined'],
    ['a value cut short', Buffer.from(V1, 'hex').subarray(0, 20), 'truncated'],
  ])('%s is an error', (_what, value, message) => {
    expect(() => decodeDecision(value)).toThrow(message);
  });
});
