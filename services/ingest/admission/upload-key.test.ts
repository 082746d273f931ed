import { expect, test } from 'vitest';
import { readUploadKey } from './upload-key.js';

const keyed = (name: string, websiteId = 'w1') => readUploadKey({ 'idempotency-key': name }, websiteId);

test('names the upload among those of its website only', () => {
  expect(keyed('one')).toBe(keyed('one'));
  expect(keyed('one')).not.toBe(keyed('other'));
  expect(keyed('one')).not.toBe(keyed('one', 'w2'));
});

test('takes the request id of Firehose if there is no key', () => {
  const firehose = { 'x-amz-firehose-request-id': 'one' };
  expect(readUploadKey(firehose, 'w1')).toBe(keyed('one'));
  expect(readUploadKey({ ...firehose, 'idempotency-key': '' }, 'w1')).toBe(keyed('one'));
  expect(readUploadKey({ ...firehose, 'idempotency-key': 'other' }, 'w1')).toBe(keyed('other'));
});

test('returns no name if neither is sent', () => {
  expect(readUploadKey({}, 'w1')).toBeNull();
  expect(keyed('')).toBeNull();
});

test('accepts 255 visible characters', () => {
  expect(keyed('~'.repeat(255))).not.toBeNull();
  for (const wrong of ['~'.repeat(256), 'a b', 'é', '\u007f'])
    expect(() => keyed(wrong)).toThrow('Idempotency-Key: expected 1 to 255 visible ASCII characters');
  expect(() => readUploadKey({ 'x-amz-firehose-request-id': 'a b' }, 'w1')).toThrow(
    'X-Amz-Firehose-Request-Id: expected',
  );
});
