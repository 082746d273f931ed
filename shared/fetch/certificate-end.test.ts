import { Socket } from 'node:net';
import { expect, test } from 'vitest';
import { certificateEnd, endOf } from './certificate-end.js';

test('a certificate ends at its end date; one without a date has no end', () => {
  expect(endOf({ valid_to: 'Jan 20 12:00:00 2027 GMT' })).toBe(Date.UTC(2027, 0, 20, 12));
  expect(endOf({})).toBeUndefined();
  expect(endOf({ valid_to: 'soon' })).toBeUndefined();
});

test('a connection without TLS has no certificate', () => {
  expect(certificateEnd(new Socket())).toBeUndefined();
});
