import type { IncomingMessage } from 'node:http';
import { expect, it } from 'vitest';
import { remoteAddress, senderOf } from './remote-address.js';

const request = (remote: string, forwarded?: string) =>
  ({
    socket: { remoteAddress: remote },
    headers: { 'x-forwarded-for': forwarded },
  }) as unknown as IncomingMessage;

it.each([
  [0, '::ffff:192.0.2.1', '6.6.6.6', '192.0.2.1'],
  [1, '10.0.0.1', '6.6.6.6, 203.0.113.9', '203.0.113.9'],
  [2, '10.0.0.1', '6.6.6.6, 203.0.113.9, 10.0.0.2', '203.0.113.9'],
  [2, '10.0.0.1', '203.0.113.9', ''],
  [1, '10.0.0.1', undefined, ''],
  [1, '10.0.0.1', 'not an address', ''],
])('%d proxies of our own before %s, X-Forwarded-For: %s: %s', (hops, remote, forwarded, expected) => {
  expect(remoteAddress(request(remote, forwarded), hops)).toBe(expected);
});

it.each([
  ['192.0.2.1', '192.0.2.1'],
  ['', ''],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:db8:1:2::6', '2001:db8:1:2::/64'],
  ['2001:db8::6', '2001:db8:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
])('%s is sent by %s', (address, sender) => {
  expect(senderOf(address)).toBe(sender);
});
