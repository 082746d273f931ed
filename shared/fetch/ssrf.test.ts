import { Client } from 'undici';
import { describe, expect, test } from 'vitest';
import { startLocalServer } from '../../test/harness/local-server.js';
import { FetchError } from './fetch-error.js';
import { createFetcher, type FetchOptions } from './fetcher.js';
import { type AddressResolver, createGuardedConnector } from './guarded-connector.js';
import { isPublicAddress } from './public-address.js';

/** No URL of a customer or of their server reaches the service's own network. */

const LIMITS: FetchOptions = { maxBytes: 1_000, maxInflatedBytes: 1_000, maxRedirects: 3, timeoutMs: 10_000 };

/** Hosts that lead to 127.0.0.1 or to another private network. */
const HOSTS = [
  '127.0.0.1',
  '127.0.0.1.',
  '127.1',
  '127.0.1',
  '2130706433',
  '0x7f000001',
  '0x7f.0.0.1',
  '0x7f.1',
  '0177.0.0.1',
  '017700000001',
  '0177.1',
  '127.0.0.01',
  '127.255.255.254',
  '0',
  '0.0.0.0',
  '00000000',
  '①②⑦.⓪.⓪.①',
  '127。0。0。1',
  '127．0．0．1',
  '127｡0｡0｡1',
  '%31%32%37.0.0.1',
  '[::1]',
  '[0:0:0:0:0:0:0:1]',
  '[::]',
  '[::ffff:127.0.0.1]',
  '[::ffff:7f00:1]',
  '[0:0:0:0:0:ffff:7f00:0001]',
  '[::ffff:0:127.0.0.1]',
  '[::127.0.0.1]',
  '[64:ff9b::127.0.0.1]',
  '[64:ff9b::7f00:1]',
  '[64:ff9b::10.0.0.1]',
  '[64:ff9b:1::8.8.8.8]',
  '[64:ff9b:1::127.0.0.1]',
  '[2002:7f00:1::]',
  '[2002:808:808::1]',
  '[2001:0:7f00:1::1]',
  '[2001:0:4136:e378:8000:63bf:80ff:fffe]',
  '[fe80::1]',
  '[fec0::1]',
  '[fc00::1]',
  '[fd00:ec2::254]',
  '[ff02::1]',
  '[100::1]',
  '[2001:db8::1]',
  '[3fff::1]',
  '[2001:2::1]',
  '[5f00::1]',
  '10.0.0.1',
  '10.255.255.255',
  '172.16.0.1',
  '172.31.255.255',
  '192.168.0.1',
  '169.254.169.254',
  '0xa9fea9fe',
  '2852039166',
  '168.63.129.16',
  '100.64.0.1',
  '100.100.100.200',
  '192.0.0.1',
  '192.0.2.1',
  '198.18.0.1',
  '198.51.100.1',
  '203.0.113.1',
  '224.0.0.1',
  '239.255.255.255',
  '240.0.0.1',
  '255.255.255.255',
];

const codeOf = (promise: Promise<unknown>) =>
  promise.then(
    () => 'fetched',
    (error: unknown) => (error instanceof FetchError ? error.code : String(error)),
  );

const resolveTo = (...addresses: string[]): AddressResolver => ({
  resolve4: async () => addresses.filter((address) => !address.includes(':')),
  resolve6: async () => addresses.filter((address) => address.includes(':')),
});

/** DNS answers with the same addresses. */
const ADDRESSES = HOSTS.map((host) => new URL(`http://${host}/`).hostname.replace(/^\[|\]$/g, ''));

describe('an address that is not public', () => {
  test.each(HOSTS)('is not fetched as the host of a URL: %s', async (host) => {
    const fetch = createFetcher({ userAgent: 'x' });
    expect(await codeOf(fetch(`http://${host}/`, LIMITS))).toBe('blocked_address');
    expect(await codeOf(fetch(`https://${host}/`, LIMITS))).toBe('blocked_address');
    const post = { body: Buffer.from('{}'), contentType: 'application/json' };
    expect(await codeOf(fetch(`https://${host}/`, { ...LIMITS, post }))).toBe('blocked_address');
  });

  test.each([...new Set(ADDRESSES)])('is not fetched as an answer of DNS: %s', async (address) => {
    const fetch = createFetcher({ userAgent: 'x', resolver: resolveTo(address) });
    expect(await codeOf(fetch('https://rebound.example/', LIMITS))).toBe('blocked_address');
  });

  test.each(HOSTS)('is not fetched after a redirect: %s', async (host) => {
    const { port, connections } = await startLocalServer((_, response) => {
      response.writeHead(302, { location: Buffer.from(`http://${host}/`).toString('latin1') }).end();
    });
    const fetch = createFetcher({ userAgent: 'x', loopback: { ports: [port] }, resolver: resolveTo() });
    // A Location in another script is not a valid DNS name; the others are addresses.
    expect(['blocked_address', 'dns', 'invalid_url']).toContain(
      await codeOf(fetch(`http://127.0.0.1:${port}/`, LIMITS)),
    );
    expect(connections()).toBe(1);
  });

  test('is not connected to, on any port', async () => {
    const inside = await startLocalServer((_, response) => response.end('secret'));
    const connectTo = (resolver: AddressResolver) => (host: string) => {
      const connect = createGuardedConnector({ resolver, connectTimeoutMs: 1_000 });
      const client = new Client(`http://${host}:${inside.port}`, { connect });
      return codeOf(client.request({ method: 'GET', path: '/' })).finally(() => client.destroy());
    };
    const outcomes = [
      ...(await Promise.all(HOSTS.map(connectTo(resolveTo())))),
      ...(await Promise.all(ADDRESSES.map((address) => connectTo(resolveTo(address))('inside.example')))),
    ];
    expect(new Set(outcomes)).toEqual(new Set(['blocked_address']));
    expect(inside.connections()).toBe(0);
  });
});

describe('a name that resolves differently each time', () => {
  test('is resolved once per connection, which uses the checked address', async () => {
    const { port } = await startLocalServer((_, response) => response.end('outside'));
    const answers = [['127.0.0.1'], ['10.0.0.1']];
    const resolver = { resolve4: async () => answers.shift() ?? [], resolve6: async () => [] };
    const fetch = createFetcher({ userAgent: 'x', resolver, loopback: { ports: [port] } });
    expect((await fetch(`http://rebound.example:${port}/`, LIMITS)).status).toBe(200);
    expect(answers).toHaveLength(1);
  });

  test('is checked again on a redirect to itself', async () => {
    const { port, connections } = await startLocalServer((_, response) => {
      response.writeHead(307, { location: '/' }).end();
    });
    const answers = [['127.0.0.1'], ['10.0.0.1']];
    const resolver = { resolve4: async () => answers.shift() ?? [], resolve6: async () => [] };
    const fetch = createFetcher({ userAgent: 'x', resolver, loopback: { ports: [port] } });
    expect(await codeOf(fetch(`http://rebound.example:${port}/`, LIMITS))).toBe('blocked_address');
    expect(connections()).toBe(1);
  });

  test('is connected to only at its public addresses', async () => {
    const { port, connections } = await startLocalServer((_, response) => response.end());
    const resolver = resolveTo('10.0.0.1', 'fd00::1', '127.0.0.1');
    const fetch = createFetcher({ userAgent: 'x', resolver, loopback: { ports: [port] } });
    expect((await fetch(`http://mixed.example:${port}/`, LIMITS)).status).toBe(200);
    expect(connections()).toBe(1);
  });
});

test.each([
  'ftp://shop.example/',
  'file:///etc/passwd',
  'data:text/plain,x',
  'javascript:1',
  'unix:/var/run/docker.sock',
  'http://shop.example:22/',
  'https://shop.example:8443/',
  'http://user@shop.example/',
  'http://user:password@shop.example/',
  'http://shop.example@127.0.0.1/',
  'http://127.0.0.1:80@shop.example/',
  'http://shop.example\\@127.0.0.1/@',
  '//shop.example/',
  '/robots.txt',
  'http://',
  '',
])('a URL with another scheme or port, or with a user name, is never requested: %j', async (url) => {
  let lookups = 0;
  const count = async () => {
    lookups += 1;
    return [];
  };
  const fetch = createFetcher({ userAgent: 'x', resolver: { resolve4: count, resolve6: count } });
  expect(await codeOf(fetch(url, LIMITS))).toMatch(url.includes('\\') ? /^dns$/ : /^invalid_url$/);
  expect(lookups > 0).toBe(url.includes('\\'));
});

test.each([
  '8.8.8.8',
  '1.1.1.1',
  '100.63.255.255',
  '100.128.0.1',
  '172.15.0.1',
  '172.32.0.1',
  '::ffff:8.8.8.8',
])('a public address of IPv4 is public: %s', (address) => expect(isPublicAddress(address)).toBe(true));

test.each(['2606:4700:4700::1111', '2a00:1450:4001::1', '64:ff9b::8.8.8.8'])(
  'a public address of IPv6 is public: %s',
  (address) => expect(isPublicAddress(address)).toBe(true),
);

test.each(['', 'localhost', '8.8.8', '8.8.8.8 ', '2606:4700::1%eth0', '08.8.8.8', '[2606:4700::1]'])(
  'a text that is not an address is not public: %j',
  (text) => expect(isPublicAddress(text)).toBe(false),
);
