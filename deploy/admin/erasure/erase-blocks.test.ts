import { expect, test } from 'vitest';
import { plainRequest } from '../../../services/enricher/sink/plain-request.js';
import {
  countRequests,
  decodeRawBlock,
  encodeRawBlock,
  readDeduplicationId,
} from '../../../shared/requests/columns/raw-block-codec.js';
import type { RawBlock } from '../../../shared/requests/raw-request.js';
import { addressBlocks, dayBlocks } from './erase-blocks.js';

const block: RawBlock = {
  website_id: 'w1',
  source: 'fastly',
  upload_id: 'u1',
  received_at: 5,
  requests: ['192.0.2.1', '192.0.2.2'].map((client_ip) => plainRequest({ client_ip })),
};
const identity = { uploadKey: 'key', index: 0 };
const eraser = addressBlocks('192.0.2.1', null);
const addresses = (value: Buffer) => decodeRawBlock(value).requests.map(({ client_ip }) => client_ip);

test('a block without the requests of an address keeps its deduplication id, so its duplicate is still recognised', () => {
  const repeat = encodeRawBlock({ ...block, upload_id: 'u2', received_at: 9 }, identity);
  const erased = eraser.raw(encodeRawBlock(block, identity), 'w1/0')!;
  expect(addresses(erased)).toEqual(['192.0.2.2']);
  expect(countRequests(erased)).toBe(1);
  expect(readDeduplicationId(repeat)).not.toBeNull();
  expect(readDeduplicationId(erased)).toBe(readDeduplicationId(repeat));
  // This also works in reverse: the duplicate may arrive after the erasure.
  expect(readDeduplicationId(eraser.raw(repeat, 'w1/0')!)).toBe(readDeduplicationId(repeat));
});

test('a block of an upload without a name still has none', () => {
  const erased = eraser.raw(encodeRawBlock(block), 'w1/0')!;
  expect(addresses(erased)).toEqual(['192.0.2.2']);
  expect(readDeduplicationId(erased)).toBeNull();
});

test('a block without requests of the address is not changed', () => {
  expect(addressBlocks('192.0.2.3', null).raw(encodeRawBlock(block, identity), 'w1/0')).toBeNull();
  expect(addressBlocks('192.0.2.1', 'w2').raw(encodeRawBlock(block, identity), 'w1/0')).toBeNull();
});

test('a day is removed from the website’s blocks received by the limit; adjacent days stay to the millisecond', () => {
  const midnight = Date.UTC(2026, 9, 31);
  const times = [midnight - 1, midnight, midnight + 86_399_999, midnight + 86_400_000];
  const sent = encodeRawBlock(
    { ...block, received_at: 5_000, requests: times.map((timestamp) => plainRequest({ timestamp })) },
    identity,
  );
  const days = { websiteId: 'w1', from: '2026-10-31', to: '2026-10-31', source: null, receivedBy: 5_999 };
  const without = dayBlocks(days).raw(sent, 'w1/0')!;
  expect(decodeRawBlock(without).requests.map(({ timestamp }) => timestamp)).toEqual([times[0], times[3]]);
  expect(readDeduplicationId(without)).toBe(readDeduplicationId(sent));
  expect(dayBlocks(days).raw(without, 'w1/0')).toBeNull();
  expect(dayBlocks(days).raw(sent, 'w2/0')).toBeNull();
  expect(dayBlocks({ ...days, source: 'combined' }).raw(sent, 'w1/0')).toBeNull();
  expect(dayBlocks({ ...days, receivedBy: 4_999 }).raw(sent, 'w1/0')).toBeNull();
});
