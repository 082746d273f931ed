import { describe, expect, test } from 'vitest';
import { plainRequest } from '../../../services/enricher/sink/plain-request.js';
import type { RawRequest } from '../raw-request.js';
import {
  countRequests,
  decodeColumnBlock,
  decodeRawBlock,
  encodeRawBlock,
  expandedBytes,
  readDeduplicationId,
  replaceRawBlock,
  weighRequests,
} from './raw-block-codec.js';
import { requestAt } from './request-columns.js';

const identity = { uploadKey: 'key', index: 3 };
const block = (...requests: RawRequest[]) => ({
  website_id: 'w',
  source: 'cloudflare',
  upload_id: 'u',
  received_at: 7,
  requests,
});
const plain = plainRequest({ target: '/a', timestamp: 5 });
const verified = plainRequest({ target: '/b', timestamp: 6, cdn_bot_category: 'AI Crawler' });

describe('a block of requests', () => {
  test.each([
    ['without a CDN’s verdict', block(plain), null],
    ['with one', block(plain, verified), null],
    ['without, of a named upload', block(plain), identity],
    ['with one, of a named upload', block(verified, plain), identity],
    ['of nothing', block(), null],
  ])('%s round-trips', (_, given, name) => {
    const value = encodeRawBlock(given, name);
    expect(decodeRawBlock(value)).toEqual(given);
    const { columns, ...head } = decodeColumnBlock(value);
    expect({ ...head, requests: given.requests.map((_, row) => requestAt(columns, row)) }).toEqual(given);
    expect(countRequests(value)).toBe(given.requests.length);
    expect(readDeduplicationId(value) === null).toBe(name === null);
  });

  test.each([
    ['another index', block(plain), { ...identity, index: 4 }],
    ['another key', block(plain), { ...identity, uploadKey: 'other' }],
    ['other requests', block(plainRequest({ ...plain, time_taken_ms: 1 })), identity],
    ['another source', { ...block(plain), source: 'fastly' }, identity],
  ])('has the same deduplication id at each receipt of its upload, and another with %s', (_, other, name) => {
    const id = readDeduplicationId(encodeRawBlock(block(plain), identity));
    const again = { ...block(plain), upload_id: 'u2', received_at: 2 ** 41 };
    expect(readDeduplicationId(encodeRawBlock(again, identity))).toBe(id);
    expect(readDeduplicationId(encodeRawBlock(other, name))).not.toBe(id);
  });

  test('has the size of its texts in all rows, however small it is in the log', () => {
    const long = plainRequest({ target: `/${'a'.repeat(8_000)}` });
    const value = encodeRawBlock(block(...Array<RawRequest>(1_000).fill(long)));
    expect(value.length).toBeLessThan(50_000);
    expect(expandedBytes(value)).toBeGreaterThan(8_000_000);
  });

  describe('weighs', () => {
    const many = (each: (at: number) => Partial<RawRequest>) =>
      block(...Array.from({ length: 1_000 }, (_, at) => plainRequest(each(at))));
    const address = (at: number) => `198.51.${at >> 8}.${at & 255}`;

    test.each([
      ['as many as there are, where all are alike', many(() => ({})), 1_000],
      [
        'as many, with addresses and targets that all differ',
        many((at) => ({ client_ip: address(at), target: `/${at}` })),
        1_000,
      ],
      [
        'twice as many, where the agents and referrers differ too',
        many((at) => ({
          client_ip: address(at),
          target: `/${at}`,
          user_agent: `a${at}`,
          referrer: `r${at}`,
        })),
        1_998,
      ],
      ['one, where there is one', block(verified), 1],
      ['none, where there is none', block(), 0],
    ])('%s', (_, given, weight) => {
      expect(weighRequests(encodeRawBlock(given))).toBe(weight);
    });

    test('at most the number of requests that fits into its bytes, for any announced number', () => {
      const value = encodeRawBlock(block(plain));
      value.writeUInt32BE(2 ** 32 - 1, 9);
      expect(weighRequests(value)).toBeLessThan(value.length / 10);
    });
  });

  test('that has more text than it announces is refused', () => {
    const value = encodeRawBlock(block(plain, verified));
    value.writeUInt32BE(value.readUInt32BE(5) - 1, 5);
    expect(() => decodeRawBlock(value)).toThrow('more text than announced');
    expect(() => decodeColumnBlock(value)).toThrow('more text than announced');
  });

  test.each([
    ['status', 65_536],
    ['status', -1],
    ['bytes_sent', 0.5],
    ['time_taken_ms', -1],
    ['source_asn', 2 ** 32],
    ['timestamp', Number.NaN],
  ])('with a %s of %d, which would not round-trip, is refused; the next one is written', (name, value) => {
    expect(() => encodeRawBlock(block(plain, { ...plain, [name]: value }))).toThrow(RangeError);
    expect(decodeRawBlock(encodeRawBlock(block(plain)))).toEqual(block(plain));
  });

  test.each([
    [block(plain, verified), block(plain)],
    [block(plain, verified), block(verified)],
    [block(plain), block(plain)],
  ])('keeps its deduplication id when some requests are removed', (given, left) => {
    const value = encodeRawBlock(given, identity);
    const replaced = replaceRawBlock(value, left);
    expect(readDeduplicationId(replaced)).toBe(readDeduplicationId(value));
    expect(decodeRawBlock(replaced)).toEqual(left);
  });

  test('of an unknown schema is refused with its number, and announces nothing', () => {
    const value = encodeRawBlock(block(plain), identity);
    value[0] = 2;
    expect(() => decodeRawBlock(value)).toThrow('requests.raw: unknown schema id 2');
    expect([countRequests(value), weighRequests(value), readDeduplicationId(value)]).toEqual([0, 0, null]);
    expect(expandedBytes(value)).toBe(value.length);
  });

  test('that is shorter than its header is refused', () => {
    const value = encodeRawBlock(block(plain)).subarray(0, 28);
    expect(() => decodeRawBlock(value)).toThrow('shorter than its header');
    expect([countRequests(value), expandedBytes(value), readDeduplicationId(value)]).toEqual([0, 28, null]);
  });
});
