import { expect, test } from 'vitest';
import { breakLinks } from './break-links.js';

test.each([
  ['secure-login.shop-bot.com is new', 'secure-login[.]shop-bot[.]com is new'],
  ['see evil.com/pay or EVIL.Co.', 'see evil[.]com/pay or EVIL[.]Co[.]'],
  ['a@evil-bot.com', 'a@evil-bot[.]com'],
  ['https:/\\evil.com //evil.com', 'https:/\\evil[.]com //evil[.]com'],
  ['bücher.example, пример.рф, 例え。テスト', 'bücher[.]example, пример[.]рф, 例え[。]テスト'],
  ['xn--80ak6aa92e.xn--p1ai', 'xn--80ak6aa92e[.]xn--p1ai'],
  ['shop.example.evil.com', 'shop[.]example[.]evil[.]com'],
  ['evil-shop.example', 'evil-shop[.]example'],
  ['tel:+4912345 ftp://x', 'tel[:]+4912345 ftp[:]//x'],
])('what a mail program would make a link of is none: %s', (text, broken) => {
  expect(breakLinks(text, 'shop.example')).toBe(broken);
});

test.each([
  '31 % of 1.500 requests failed, 0.4 % are usual. Then none.',
  '/s/app.css /index.php /wp-config.php.bak /jquery.min.js',
  '203.0.113.9 and 2001:db8::1',
  'Mozilla/5.0 (X11; Linux) Chrome/120.0.0.0',
  'shop.example, www.shop.example, Shop.Example.',
])('what is none, or the website’s own, stays as it is: %s', (text) => {
  expect(breakLinks(text, 'shop.example')).toBe(text);
});
