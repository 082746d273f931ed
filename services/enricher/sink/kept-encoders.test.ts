import fc from 'fast-check';
import { expect, test } from 'vitest';
import { plainRequest } from '../../../shared/requests/plain-request.js';
import type { RawRequest } from '../../../shared/requests/raw-request.js';
import { enrichedAs } from '../../../test/harness/enrich-each.js';
import { storedRequest } from '../../../test/harness/stored-requests.js';
import { createRowsEncoder, type RowsEncoder } from './encode-rows.js';
import { giveEncoderBack, takeEncoder } from './kept-encoders.js';

const PLACE = {
  websiteId: 'w',
  source: 'combined',
  receivedAt: 1_700_000_000_000,
  partition: 0,
  offset: 0,
  retentionDays: 30,
  addressDays: 0,
};

/** Rows of a block that is taken, or one that fails half-way and is taken back. */
interface Block {
  readonly requests: readonly Partial<RawRequest>[];
  readonly fails: 'never' | 'while it is added' | 'before it is added';
}

const request = fc.record({
  client_ip: fc.constantFrom('192.0.2.1', '2001:db8::1', '198.51.100.7'),
  host: fc.constantFrom('', 'a.example', 'b.example'),
  user_agent: fc.string(),
  referrer: fc.constantFrom('', 'https://c.example/'),
  request_id: fc.constantFrom('', 'one', 'two'),
  status: fc.nat(599),
  bytes_sent: fc.nat(),
});
const block: fc.Arbitrary<Block> = fc.record({
  requests: fc.array(request, { maxLength: 8 }),
  fails: fc.constantFrom('never', 'never', 'while it is added', 'before it is added'),
});

function encode(encoder: RowsEncoder, blocks: readonly Block[]): Buffer {
  for (const [offset, { requests, fails }] of blocks.entries()) {
    const before = encoder.rows;
    const bad = fails === 'while it is added' ? [{ client_ip: 'none' }] : [];
    const rows = [...requests, ...bad].map((one) => plainRequest(one));
    try {
      if (fails === 'before it is added') throw new Error('not decoded');
      encoder.add(
        { ...PLACE, offset },
        enrichedAs(
          rows,
          rows.map(() => storedRequest({ website_id: 'w', timestamp: 0 })),
        ),
        Uint32Array.from(rows.keys()),
      );
    } catch {
      encoder.truncate(before);
    }
  }
  return Buffer.concat([...encoder.encode()]);
}

test('a kept encoder encodes as a new one, whatever it has encoded before', () => {
  fc.assert(
    fc.property(fc.array(fc.array(block, { maxLength: 5 }), { minLength: 2, maxLength: 4 }), (ranges) => {
      for (const blocks of ranges) {
        const kept = takeEncoder(100);
        const body = encode(kept, blocks);
        expect(body.equals(encode(createRowsEncoder(100), blocks))).toBe(true);
        giveEncoderBack(kept, body.length);
      }
    }),
  );
});

test('one that is in use is nobody else’s, and one that is too small is not taken', () => {
  const first = takeEncoder(10);
  const second = takeEncoder(10);
  expect(second).not.toBe(first);
  giveEncoderBack(first, 1_000);
  expect(takeEncoder(first.capacity + 1)).not.toBe(first);
  expect(takeEncoder(first.capacity)).toBe(first);
});

test('no more are kept than ranges are encoded at once, and none for a range that is larger than usual', () => {
  const taken = [takeEncoder(10), takeEncoder(10), takeEncoder(10)];
  for (const one of taken) giveEncoderBack(one, 1_000);
  expect([takeEncoder(10), takeEncoder(10)]).toEqual(taken.slice(0, 2));
  expect(taken).not.toContain(takeEncoder(10));
  const larger = takeEncoder(2 ** 18 + 1);
  giveEncoderBack(larger, 1_000);
  expect(takeEncoder(10)).not.toBe(larger);
});

test('one that holds much is let go', () => {
  const large = takeEncoder(10);
  giveEncoderBack(large, 33 * 1024 ** 2);
  expect(takeEncoder(10)).not.toBe(large);
});
