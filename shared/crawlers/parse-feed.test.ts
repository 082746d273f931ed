import { describe, expect, test } from 'vitest';
import { parseFeed } from './parse-feed.js';

describe('parseFeed', () => {
  test("reads Google's format, both versions and the time", () => {
    const body = JSON.stringify({
      creationTime: '2026-11-01T00:00:00',
      prefixes: [
        { ipv4Prefix: '66.249.64.0/27' },
        { ipv6Prefix: '2001:4860:4801:10::/64' },
        { ip_prefix: '3.1.2.3/32' },
      ],
    });
    expect(parseFeed('prefixes', body)).toEqual({
      prefixes: ['66.249.64.0/27', '2001:4860:4801:10::/64', '3.1.2.3/32'],
      published: '2026-11-01T00:00:00',
    });
  });

  test.each(['', '<html>', '{}', '{"prefixes":[]}', '{"prefixes":[{}]}', '{"prefixes":[{"ipv4Prefix":7}]}'])(
    'refuses %s if that format is expected',
    (body) => expect(() => parseFeed('prefixes', body)).toThrow(),
  );

  test('reads announced prefixes as RIPEstat returns them', () => {
    const body = JSON.stringify({ data: { prefixes: [{ prefix: '157.240.0.0/17', timelines: [] }] } });
    expect(parseFeed('ripestat', body).prefixes).toEqual(['157.240.0.0/17']);
    expect(() => parseFeed('ripestat', '{"data":{}}')).toThrow();
  });

  test('finds addresses in lines, in JSON and in a page, and no similar texts', () => {
    const body = `203.0.113.7\n198.51.100.0/24\r\n2001:db8::1
      {"ip":"203.0.113.8","v6":["2001:db8:0:1::/64"]}
      <style>a::before{} b::after{}</style><li>203.0.113.9</li> version 1.2.3 or 1.2.3.4.5, at 12:30:45, 999.1.1.1, dead::beef::1`;
    expect(parseFeed('text', body).prefixes).toEqual([
      '203.0.113.7',
      '198.51.100.0/24',
      '2001:db8::1',
      '203.0.113.8',
      '2001:db8:0:1::/64',
      '203.0.113.9',
    ]);
  });
});
