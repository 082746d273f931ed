import { isIP } from 'node:net';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { runs } from '../../../../test/harness/runs.js';
import { ipBeforePort, normaliseIp } from './client-ip.js';

it('keeps every address that node:net accepts, and refuses the others', () => {
  fc.assert(
    fc.property(fc.oneof(fc.ipV4(), fc.ipV6(), fc.string(), fc.stringMatching(/^[0-9.:]{1,18}$/)), (text) => {
      const known = isIP(text) !== 0 && !text.includes('%');
      const mapped = /^::ffff:.*\./i.test(text);
      const unspecified = /^[0:.]*$/.test(text) && text.includes(':');
      if (known && !mapped && !unspecified) expect(normaliseIp(text)).toBe(text);
      if (normaliseIp(text) !== '') expect(isIP(normaliseIp(text))).not.toBe(0);
    }),
    { numRuns: runs(500) },
  );
});

it.each([
  ['::ffff:192.0.2.1', '192.0.2.1'],
  ['192.0.2.1:51234', '192.0.2.1'],
  ['[2001:db8::1]:443', '2001:db8::1'],
  ['[2001:db8::1]', '2001:db8::1'],
  ['::', ''],
  ['0:0:0:0:0:0:0:0', ''],
  ['::0.0.0.0', ''],
  ['[::]:443', ''],
  ['::1', '::1'],
  ['0.0.0.0', '0.0.0.0'],
  ['fe80::1%eth0', 'fe80::1'],
  ['fe80::1%3', 'fe80::1'],
  ['[fe80::1%eth0]:443', 'fe80::1'],
  ['[fe80::1%25en0.100]', 'fe80::1'],
  ['2001:db8::1%br-lan', '2001:db8::1'],
  ['fe80::1%', ''],
  ['fe80::1%eth0]', ''],
  ['[fe80::1%eth0', ''],
  ['fe80::1%a b', ''],
  ['::%eth0', ''],
  ['192.0.2.1%eth0', ''],
  ['192.0.2.01', ''],
  ['192.0.2.256', ''],
  ['192.0.2', ''],
  ['host.example.com', ''],
  ['host:80', ''],
  ['', ''],
])('reads %s as %j', (text, expected) => {
  expect(normaliseIp(text)).toBe(expected);
});

it.each([
  ['198.51.100.7:35982', '198.51.100.7'],
  ['2001:db8::1:8080', '2001:db8::1'],
  ['[2001:db8::1]:8080', '2001:db8::1'],
  ['::ffff:198.51.100.7:80', '198.51.100.7'],
  ['198.51.100.7', '198.51.100.7'],
  ['unix:1', ''],
  ['-', ''],
  ['', ''],
])('takes the last group of %j for the port', (text, address) => {
  expect(ipBeforePort(text)).toBe(address);
});
