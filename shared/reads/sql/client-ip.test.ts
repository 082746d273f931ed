import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { normaliseClientIp } from './client-ip.js';

describe('normaliseClientIp', () => {
  it.each([
    ['192.0.2.7', '192.0.2.7'],
    ['::ffff:192.0.2.7', '192.0.2.7'],
    ['::FFFF:c000:207', '192.0.2.7'],
    ['2001:0DB8:0:0:0:0:0:7', '2001:db8::7'],
    ['::1', '::1'],
  ])('writes %s as %s', (text, plain) => {
    expect(normaliseClientIp(text)).toBe(plain);
  });

  it.each([
    '',
    '1.2.3',
    '256.1.1.1',
    '0x7f.0.0.1',
    '010.0.0.1',
    '1',
    'fe80::1%eth0',
    'example.com',
    '1.2.3.4/24',
  ])('refuses %j', (text) => {
    expect(normaliseClientIp(text)).toBeNull();
  });

  it('is idempotent for every address', () => {
    fc.assert(
      fc.property(fc.oneof(fc.ipV4(), fc.ipV6()), (address) => {
        const once = normaliseClientIp(address);
        expect(once).not.toBeNull();
        expect(normaliseClientIp(once!)).toBe(once);
      }),
    );
  });
});
