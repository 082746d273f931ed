import { expect, it } from 'vitest';
import { normaliseHost } from './normalise-host.js';

it.each([
  ['www.example.com', 'www.example.com'],
  ['WWW.Example.COM', 'www.example.com'],
  ['shop.example.com:8443', 'shop.example.com'],
  ['example.com.', 'example.com'],
  ['xn--bcher-kva.example', 'xn--bcher-kva.example'],
  ['[2001:db8::1]:443', '2001:db8::1'],
  ['192.0.2.7:80', '192.0.2.7'],
  ['localhost', 'localhost'],
  ['https://www.example.com/', ''],
  ['a b', ''],
  ["x' OR 1=1", ''],
  ['', ''],
])('%j is the host %j', (text, host) => {
  expect(normaliseHost(text)).toBe(host);
});
