import { isIPv4 as nodeIPv4, isIPv6 as nodeIPv6 } from 'node:net';
import fc from 'fast-check';
import ipaddr from 'ipaddr.js';
import { expect, it } from 'vitest';
import { runs } from '../../../../test/harness/runs.js';
import { isIPv4, isIPv6, isLocalIp } from './ip-form.js';

const hex = fc.stringMatching(/^(?:0{1,4}|[0-9a-fA-F]{1,4})$/);
const dotted = fc.oneof(fc.ipV4(), fc.constantFrom('0.0.0.0', '0.0.0.1', '10.1.2.3', '1.2.3', '1.2.3.04'));
const groups = fc.array(fc.oneof({ weight: 8, arbitrary: hex }, fc.constantFrom('', '0', '1', 'fffff')), {
  maxLength: 9,
});
/** Texts that are IPv6 addresses, or nearly. */
const nearly = fc
  .tuple(groups, fc.option(dotted), fc.nat(9), fc.constantFrom('', '', ':', '::', '%eth0', '.', ' '))
  .map(([some, tail, gap, end]) => {
    const all = tail === null ? some : [...some, tail];
    const [before, behind] = [all.slice(0, gap), all.slice(gap)];
    return (gap > 7 ? all.join(':') : `${before.join(':')}::${behind.join(':')}`) + end;
  });
const texts = fc.oneof(
  nearly,
  nearly,
  fc.ipV6(),
  dotted,
  fc.stringMatching(/^[0-9a-f.:]{1,24}$/),
  fc.string(),
);

it('accepts exactly the addresses that node:net accepts', () => {
  fc.assert(
    fc.property(texts, (text) => {
      expect(isIPv4(text)).toBe(nodeIPv4(text));
      expect(isIPv6(text)).toBe(nodeIPv6(text) && !text.includes('%'));
    }),
    { numRuns: runs(2_000) },
  );
});

const local = new Set(['private', 'loopback', 'linkLocal', 'uniqueLocal', 'carrierGradeNat', 'unspecified']);
const octet = fc.oneof(
  fc.nat(255),
  fc.constantFrom(0, 10, 16, 31, 63, 64, 100, 127, 128, 168, 169, 172, 192, 254),
);
const addresses = fc.oneof(
  fc.tuple(octet, octet, octet, octet).map((octets) => octets.join('.')),
  fc
    .tuple(fc.constantFrom('fc', 'fd', 'fe', '00', 'FE'), hex, nearly)
    .map(([first, second, rest]) => `${first}${second.slice(0, 2)}:${rest}`),
  texts,
);

it('classifies addresses as local like the list of local ranges', () => {
  fc.assert(
    fc.property(addresses, (text) => {
      fc.pre(isIPv4(text) || isIPv6(text));
      expect(isLocalIp(text)).toBe(local.has(ipaddr.parse(text).range()));
    }),
    { numRuns: runs(2_000) },
  );
});

it('distinguishes local addresses from others', () => {
  for (const ip of ['10.0.0.1', '192.168.1.1', '127.0.0.1', '100.64.0.1', 'fd00::1', '::1', 'fe80::1']) {
    expect([ip, isLocalIp(ip)]).toEqual([ip, true]);
  }
  for (const ip of ['66.249.66.1', '2001:4860::1']) expect([ip, isLocalIp(ip)]).toEqual([ip, false]);
});
