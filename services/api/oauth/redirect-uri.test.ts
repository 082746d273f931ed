import fc from 'fast-check';
import { expect, it } from 'vitest';
import { allowsRedirect, destinationOf, faultOfRedirect } from './redirect-uri.js';

it('allows a registered address, with any port where it is on the own device', () => {
  const registered = ['http://127.0.0.1:33418/callback?a=b', 'http://[::1]', 'https://x.example:8443/'];
  for (const asked of [
    ...registered,
    'http://127.0.0.1:1/callback?a=b',
    'http://127.0.0.1/callback?a=b',
    'http://[::1]:65535',
  ])
    expect(allowsRedirect(registered, asked)).toBe(true);
  for (const asked of [
    'http://localhost:33418/callback?a=b',
    'http://127.0.0.1:33418/callback',
    'http://127.0.0.1:33418/Callback?a=b',
    'http://127.0.0.1:33418/./callback?a=b',
    'http://127.0.0.1:33418:80/callback?a=b',
    'http://127.0.0.1:99999/callback?a=b',
    'http://127.0.0.1:/callback?a=b',
    'http://127.0.0.1:80@x.example/callback?a=b',
    'http://127.0.0.1.x.example/callback?a=b',
    'https://127.0.0.1/callback?a=b',
    'http://[::1]/',
    'https://x.example/',
    'https://x.example:8443',
  ])
    expect(allowsRedirect(registered, asked)).toBe(false);
});

it('never allows an address of another host, path or scheme', () => {
  const registered = [
    'http://127.0.0.1/callback',
    'http://localhost:1/',
    'https://claude.ai/callback',
    'cursor://a/b',
  ];
  const part = fc.constantFrom(
    ...[
      'http:',
      'https:',
      'cursor:',
      '//',
      '/',
      '\\',
      '@',
      ':',
      '?',
      '#',
      '.',
      '80',
      '%2f',
      ' ',
      '\t',
      '[::1]',
    ],
    ...['127.0.0.1', 'localhost', 'claude.ai', 'evil.example', 'callback', 'a/b'],
  );
  fc.assert(
    fc.property(fc.array(part, { maxLength: 9 }), (parts) => {
      const asked = parts.join('');
      if (!allowsRedirect(registered, asked)) return;
      const { protocol, hostname, pathname, search, hash } = new URL(asked);
      const same = registered.map((each) => new URL(each)).filter((each) => each.hostname === hostname);
      expect(same.some((each) => each.protocol === protocol && each.pathname === pathname)).toBe(true);
      expect(search + hash).toBe('');
    }),
    { numRuns: 3_000 },
  );
});

it('has a fault or a destination for every text', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.webUrl(), fc.string({ unit: 'binary' })), (text) => {
      if (faultOfRedirect(text) === null) expect(destinationOf(text).name).not.toBe('');
    }),
  );
});
