import { describe, expect, test } from 'vitest';
import { asnTableFrom } from '../../test/harness/enricher/asn-table.js';
import { parseAddress } from '../requests/address.js';

describe('the network table', () => {
  const table = asnTableFrom(
    '16777216,16777471,13335,"Cloudflare, Inc."\n3221225984,3221226239,64500,"Say ""Hi"""\n',
    '2001:db8::,2001:db8::ffff,64500,Say\n2001:db8:1::,2001:db8:1:ffff:ffff:ffff:ffff:ffff,64501,Ünï',
  );
  test.each([
    ['1.0.0.0', 13335, 'Cloudflare, Inc.'],
    ['1.0.0.255', 13335, 'Cloudflare, Inc.'],
    ['192.0.2.7', 64500, 'Say "Hi"'],
    ['2001:db8::1', 64500, 'Say "Hi"'],
    ['2001:db8:1:2::3', 64501, 'Ünï'],
  ])('%s belongs to AS%i %s', (ip, asn, name) => {
    expect(table.networkOf(parseAddress(ip))).toEqual({ asn, name });
  });

  test.each(['0.0.0.0', '1.0.1.0', '255.255.255.255', '::', '2001:db8::1:0', 'ffff::', 'x'])(
    '%s belongs to no network',
    (ip) => {
      expect(table.networkOf(parseAddress(ip))).toBeNull();
    },
  );

  test('unordered ranges are refused with the line number', () => {
    expect(() => asnTableFrom('5,6,1,a\n1,2,1,a\n', '')).toThrow(/line 2/);
  });
});
