import fc from 'fast-check';
import ipaddr from 'ipaddr.js';
import { describe, expect, test } from 'vitest';
import { runs } from '../../test/harness/runs.js';
import { parseAddress } from '../requests/address.js';
import { type AddressRanges, containsAddress } from './address-ranges.js';
import { parsePrefix, rangesOfPrefixes } from './prefixes.js';

/** RFC 4291 §2.5.5.1: '::192.0.2.1' is an IPv6 address; the library reads it as a mapped one. */
const isCompatible = (text: string): boolean => /^::\d+\./.test(text);

const anyAddress = fc.oneof(
  fc.ipV4(),
  fc.ipV6().filter((text) => !isCompatible(text)),
);

/** The library's result in our form, as an independent reference. */
function byLibrary(text: string): string | null {
  if (text.includes('%')) return null;
  const valid = text.includes(':') ? ipaddr.IPv6.isValid(text) : ipaddr.IPv4.isValidFourPartDecimal(text);
  if (!valid) return null;
  const bytes = ipaddr.process(text).toByteArray();
  return bytes.join('.');
}

function byUs(text: string): string | null {
  const address = parseAddress(text);
  if (address === null) return null;
  const words = typeof address === 'number' ? [address] : [...address];
  return words
    .flatMap((word) => [word >>> 24, (word >>> 16) & 255, (word >>> 8) & 255, word & 255])
    .join('.');
}

describe('parseAddress', () => {
  test('reads every IPv4 and IPv6 spelling as the library does', () => {
    fc.assert(
      fc.property(anyAddress, (text) => {
        expect(byUs(text)).toBe(byLibrary(text));
      }),
      { numRuns: runs(2_000) },
    );
  });

  test('refuses every near-address that the library refuses', () => {
    const nearly = fc.string({
      unit: fc.constantFrom('0', '1', '2', '25', 'f', 'ABC', ':', '::', '.', '/'),
      maxLength: 16,
    });
    fc.assert(
      fc.property(
        nearly.filter((text) => !isCompatible(text)),
        (text) => {
          expect(byUs(text)).toBe(byLibrary(text));
        },
      ),
      {
        numRuns: runs(5_000),
        examples: [['1:2:3:4:5:6:7::'], ['::2:3:4:5:6:7:8'], ['1::2::3'], [':1'], ['1:'], [':::']],
      },
    );
  });

  test.each([
    '',
    '-',
    '1.2.3',
    '01.2.3.4',
    '1.2.3.4.',
    '1.2.3.256',
    '1.2.3.4/8',
    'fe80::1%eth0',
    'localhost',
    '::1.2.3',
  ])('%j is not an address', (text) => expect(parseAddress(text)).toBeNull());

  test('an IPv4-mapped IPv6 address is read as IPv4', () => {
    expect(parseAddress('::ffff:192.0.2.1')).toBe(parseAddress('192.0.2.1'));
    expect(parseAddress('::FFFF:c000:201')).toBe(parseAddress('192.0.2.1'));
  });
});

describe('prefixes', () => {
  test.each([
    '1.2.3.0/33',
    '1.2.3.4/24',
    '2001:db8::/129',
    '2001:db8::1/64',
    'x/8',
    '1.2.3.4/',
    '1.2.3.4/-1',
  ])('refuses %s', (text) => expect(() => parsePrefix(text)).toThrow(text));

  test('a range table has exactly the addresses of its prefixes, overlapping or not', () => {
    const prefix = fc.record({ text: anyAddress, length: fc.nat(128) }).map(({ text, length }) => {
      const address = ipaddr.process(text);
      const bits = address.kind() === 'ipv4' ? length % 33 : length;
      const network =
        address.kind() === 'ipv4'
          ? ipaddr.IPv4.networkAddressFromCIDR(`${address}/${bits}`)
          : ipaddr.IPv6.networkAddressFromCIDR(`${address}/${bits}`);
      return `${network}/${bits}`;
    });
    fc.assert(
      fc.property(fc.array(prefix, { maxLength: 30 }), fc.array(anyAddress), (texts, probes) => {
        const ranges = rangesOfPrefixes(texts.filter((text) => !text.startsWith('::ffff:')).map(parsePrefix));
        // Also probe the network addresses: random addresses never hit these edges.
        for (const probe of [...probes, ...texts.map((text) => text.replace(/\/.*/, ''))]) {
          expect(containsAddress(ranges, parseAddress(probe))).toBe(heldByOne(texts, probe));
        }
      }),
      { numRuns: runs(300) },
    );
  });

  test('both ends of a prefix are in it and their neighbours are not', () => {
    const ranges: AddressRanges = rangesOfPrefixes(['192.0.2.64/26', '2001:db8:0:1::/64'].map(parsePrefix));
    const inside = (text: string): boolean => containsAddress(ranges, parseAddress(text));
    expect(
      ['192.0.2.64', '192.0.2.127', '2001:db8:0:1::', '2001:db8:0:1:ffff:ffff:ffff:ffff'].map(inside),
    ).toEqual([true, true, true, true]);
    expect(
      ['192.0.2.63', '192.0.2.128', '2001:db8::ffff:ffff:ffff:ffff', '2001:db8:0:2::', '0.0.0.0', '::'].map(
        inside,
      ),
    ).toEqual([false, false, false, false, false, false]);
  });
});

function heldByOne(texts: readonly string[], probe: string): boolean {
  const address = ipaddr.process(probe);
  return texts
    .filter((text) => !text.startsWith('::ffff:'))
    .some((text) => {
      const [network, bits] = ipaddr.parseCIDR(text);
      return network.kind() === address.kind() && address.match(network, bits);
    });
}
