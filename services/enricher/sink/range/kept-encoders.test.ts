import fc from 'fast-check';
import { beforeEach, expect, test } from 'vitest';
import type { RawRequest } from '../../../../shared/requests/raw-request.js';
import { enrichedAs } from '../../../../test/harness/enrich-each.js';
import { storedRequest } from '../../../../test/harness/stored-requests.js';
import { plainRequest } from '../plain-request.js';
import { createRowsEncoder, type ReusableEncoder, type RowsEncoder } from './encode-rows.js';
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

/** Rows of a range whose encoder is kept. */
const USUAL = 40_000;

/** Rows of a block that is added, or of one that fails halfway and is undone. */
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

test('a kept encoder encodes like a new one after any use', () => {
  fc.assert(
    fc.property(fc.array(fc.array(block, { maxLength: 5 }), { minLength: 2, maxLength: 4 }), (ranges) => {
      for (const blocks of ranges) {
        const kept = takeEncoder(USUAL);
        expect(encode(kept, blocks).equals(encode(createRowsEncoder(100), blocks))).toBe(true);
        giveEncoderBack(kept);
      }
    }),
  );
});

/** All kept encoders. */
function keptOnes(): ReusableEncoder[] {
  return [takeEncoder(USUAL), takeEncoder(USUAL), takeEncoder(USUAL)];
}

beforeEach(() => void keptOnes());

test('an encoder in use is not taken again, and one that is too small is not taken', () => {
  const first = takeEncoder(USUAL);
  const second = takeEncoder(USUAL);
  expect(second).not.toBe(first);
  giveEncoderBack(first);
  expect(takeEncoder(first.capacity + 1)).not.toBe(first);
  expect(takeEncoder(first.capacity)).toBe(first);
});

test('an encoder that is given back twice, or was not taken, is not kept twice', () => {
  const once = takeEncoder(USUAL);
  const foreign = createRowsEncoder(10);
  for (const one of [once, once, foreign, { ...once }]) giveEncoderBack(one);
  expect(takeEncoder(USUAL)).toBe(once);
  expect([once, foreign]).not.toContain(takeEncoder(USUAL));
});

test('as many are kept as ranges are encoded at once, the larger ones, and none for an unusually large range', () => {
  const small = [takeEncoder(USUAL), takeEncoder(USUAL), takeEncoder(USUAL)];
  for (const one of small) giveEncoderBack(one);
  expect(keptOnes().filter((one) => small.includes(one))).toHaveLength(2);
  const larger = takeEncoder(2 ** 17);
  for (const one of [larger, ...small]) giveEncoderBack(one);
  expect(takeEncoder(2 ** 17)).toBe(larger);
  const largest = takeEncoder(2 ** 18 + 1);
  giveEncoderBack(largest);
  expect(takeEncoder(2 ** 18 + 1)).not.toBe(largest);
});

test('none is kept for a small range, and none that is kept is given to it', () => {
  const usual = takeEncoder(USUAL);
  giveEncoderBack(usual);
  const small = takeEncoder(10);
  expect(small.capacity).toBe(10);
  giveEncoderBack(small);
  expect(keptOnes()).not.toContain(small);
});

test('an encoder with long texts is not kept', () => {
  const large = takeEncoder(USUAL);
  const text = 'x'.repeat(9 * 1024 ** 2);
  encode(large, [{ requests: [{ user_agent: text, referrer: text }], fails: 'never' }]);
  giveEncoderBack(large);
  expect(keptOnes()).not.toContain(large);
});

test('an encoder with usual texts is kept', () => {
  const usual = takeEncoder(60_000);
  const requests = Array.from({ length: 60_000 }, (_, row) => ({
    user_agent: `Mozilla/5.0 (X11; Linux x86_64) number ${row % 5_000}`,
    target: `/a/path/of/some/length/${row % 20_000}`,
    client_ip: `10.0.${row % 199}.${row % 211}`,
  }));
  encode(usual, [{ requests, fails: 'never' }]);
  giveEncoderBack(usual);
  expect(takeEncoder(60_000)).toBe(usual);
});
