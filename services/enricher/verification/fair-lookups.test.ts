import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { HOUR_MS } from '../../../shared/durations.js';
import { isNightly } from '../../../test/harness/runs.js';
import type { DnsResolver } from './confirm-host.js';
import { createDnsVerifier, type DnsVerifierOptions, type WebsiteVerdict } from './dns-verifier.js';

/** How much one website's claims can delay others: a simulation with its own clock, without a network. */

const NAME = 'crawl.googlebot.com';
const LAST_DAY = 20_000;

const address = (network: string, index: number) =>
  `${network}.${Math.floor(index / 65_536)}.${Math.floor(index / 256) % 256}.${index % 256}`;
const failing = (code: string) => Promise.reject(Object.assign(new Error(code), { code }));

/**
 * 66.* is Google's, 10.* never answers, 11.* fails at once, and all others have no name. An answer takes 100
 * ms.
 */
const internet: DnsResolver = {
  reverse: (ip) => {
    if (ip.startsWith('10.')) return new Promise(() => {});
    if (ip.startsWith('11.')) return failing('ESERVFAIL');
    return new Promise((resolve, reject) =>
      setTimeout(() => {
        if (ip.startsWith('66.')) resolve([`${ip.replaceAll('.', '-')}.${NAME}`]);
        else reject(Object.assign(new Error('ENOTFOUND'), { code: 'ENOTFOUND' }));
      }, 100),
    );
  },
  resolve4: async (name) => [name.slice(0, -NAME.length - 1).replaceAll('-', '.')],
  resolve6: async () => [],
};

function setUp(options: Partial<DnsVerifierOptions> = {}) {
  const reported: WebsiteVerdict[] = [];
  const asked: string[] = [];
  const verifier = createDnsVerifier({
    families: [{ name: 'Google', hosts: ['*.googlebot.com'], documentation: 'https://example.com' }],
    resolver: {
      ...internet,
      reverse: (ip) => {
        asked.push(ip);
        return internet.reverse(ip);
      },
    },
    now: Date.now,
    lookupsPerSecond: 50,
    timeoutMs: 3_000,
    cacheSize: 200_000,
    concurrency: 32,
    onVerdict: (verdict) => reported.push(verdict),
    ...options,
  });
  const claim = (websiteId: string, ip: string, lastDay = LAST_DAY) =>
    verifier.verdictOf('Google', ip, { websiteId, lastDay });
  return { verifier, reported, asked, claim };
}

beforeEach(() => void vi.useFakeTimers({ now: 1_700_000_000_000 }));
afterEach(() => void vi.useRealTimers());
const settle = (ms = 0) => vi.advanceTimersByTimeAsync(ms);

describe("one website's claims", () => {
  test.each([
    ['10', 'a zone that never answers'],
    ['11', 'a zone that fails'],
    ['12', 'a zone without names'],
  ])('10,000 claims in %s.* (%s) do not delay those of others', async (network) => {
    const { claim } = setUp();
    for (let i = 0; i < 10_000; i += 1) claim('flooder', address(network, i));
    expect(claim('shop', '66.1.1.1')).toBe('pending');
    await settle(5_000);
    expect(claim('shop', '66.1.1.1')).toBe('verified');
  });

  test('that never stop leave twenty other websites their verdicts within seconds', async () => {
    const { claim } = setUp();
    const others = Array.from({ length: 20 }, (_, index) => `shop-${index}`);
    const waits: number[] = [];
    for (let second = 0; second < 120; second += 1) {
      for (let i = 0; i < 500; i += 1) claim('flooder', address('10', second * 500 + i));
      if (second % 30 === 0) {
        const ips = others.map((_, index) => address('66', second * 100 + index));
        const startedAt = Date.now();
        let open = others.map((websiteId, index) => [websiteId, ips[index]!] as const);
        while (open.length > 0 && Date.now() - startedAt < 20_000) {
          open = open.filter(([websiteId, ip]) => claim(websiteId, ip) === 'pending');
          if (open.length > 0) await settle(500);
        }
        waits.push(Date.now() - startedAt);
      }
      await settle(1_000);
    }
    expect(Math.max(...waits)).toBeLessThanOrEqual(5_000);
  });

  test('get a bounded share of lookups and of written verdicts', async () => {
    const { claim, asked, reported } = setUp();
    for (let second = 0; second < 3_600; second += 10) {
      for (let i = 0; i < 460; i += 1) claim('flooder', address('12', second * 46 + i));
      await settle(10_000);
    }
    // 46 claims a second are four million a day; fifty lookups a second are 180,000 an hour.
    expect(asked.length).toBeGreaterThan(5_000);
    expect(asked.length).toBeLessThan(180_000 / 15);
    expect(reported.length).toBeLessThan(180_000 / 15);
  });

  test('cannot use up the lookups together with those of seven other flooders', async () => {
    const { claim } = setUp();
    for (let i = 0; i < 10_000; i += 1) {
      for (let flooder = 0; flooder < 8; flooder += 1)
        claim(`flooder-${flooder}`, address(`10`, i * 8 + flooder));
    }
    claim('shop', '66.1.1.1');
    await settle(10_000);
    expect(claim('shop', '66.1.1.1')).toBe('verified');
  });

  // 200,000 claims take half a minute on the simulated clock.
  test.runIf(isNightly)('from many websites at once stay within bounded memory', async () => {
    const { verifier, claim } = setUp();
    for (let website = 0; website < 2_000; website += 1) {
      for (let i = 0; i < 100; i += 1) claim(`flooder-${website}`, address('11', website * 100 + i));
    }
    expect(verifier.sizes().waiting).toBeLessThan(100_000);
    await settle(60_000);
    expect(verifier.sizes().resting).toBeLessThan(20_000);
  });
});

describe('an address that several websites claim', () => {
  test('is looked up once, and each website gets the verdict for the longest retention of its own rows', async () => {
    const { claim, asked, reported } = setUp();
    claim('a', '66.1.1.1', 20_000);
    claim('b', '66.1.1.1', 20_400);
    claim('a', '66.1.1.1', 20_030);
    claim('a', '66.1.1.1', 20_010);
    await settle(1_000);
    expect(asked).toEqual(['66.1.1.1']);
    expect(reported.map(({ websiteId, lastDay, status }) => [websiteId, lastDay, status]).sort()).toEqual([
      ['a', 20_030, 'verified'],
      ['b', 20_400, 'verified'],
    ]);
  });

  test('does not wait in the queue of the first website only', async () => {
    const { claim } = setUp({ lookupsPerSecond: 20 });
    for (let i = 0; i < 400; i += 1) claim('flooder', address('12', i));
    for (let i = 0; i < 15; i += 1) claim('flooder', address('66', i));
    for (let i = 0; i < 15; i += 1) claim('shop', address('66', i));
    await settle(3_000);
    for (let i = 0; i < 15; i += 1) expect(claim('shop', address('66', i))).toBe('verified');
  });
});

describe('a dropped claim', () => {
  test('is looked up for a later request, and its rows then get the verdict for their whole retention', async () => {
    const { claim, reported } = setUp();
    for (let i = 0; i < 20_000; i += 1) claim('shop', address('12', i));
    // The share is used up, so this claim is not queued.
    expect(claim('shop', '66.1.1.1', 20_400)).toBe('pending');
    await settle(HOUR_MS);
    expect(reported.filter(({ clientIp }) => clientIp === '66.1.1.1')).toEqual([]);
    expect(claim('shop', '66.1.1.1', 20_030)).toBe('pending');
    await settle(1_000);
    expect(reported.filter(({ clientIp }) => clientIp === '66.1.1.1')).toMatchObject([
      { websiteId: 'shop', lastDay: 20_400, status: 'verified' },
    ]);
  });

  test('gets a verdict that another website obtained, at the next request of the address', async () => {
    const { claim, reported } = setUp();
    for (let i = 0; i < 20_000; i += 1) claim('shop', address('12', i));
    claim('shop', '66.1.1.1', 20_400);
    claim('other', '66.1.1.1');
    await settle(1_000);
    const toShop = () => reported.filter((one) => one.websiteId === 'shop' && one.clientIp === '66.1.1.1');
    expect(toShop()).toEqual([]);
    expect(claim('shop', '66.1.1.1', 20_030)).toBe('verified');
    expect(toShop()).toMatchObject([{ lastDay: 20_400, status: 'verified' }]);
    claim('shop', '66.1.1.1', 20_030);
    expect(toShop()).toHaveLength(1);
  });
});

test('a failing network is paused, and queried again afterwards', async () => {
  let broken = true;
  const asked: string[] = [];
  const { claim } = setUp({
    resolver: {
      ...internet,
      reverse: (ip) => {
        asked.push(ip);
        return broken ? failing('ESERVFAIL') : internet.reverse(`66${ip.slice(2)}`);
      },
      resolve4: async (name) => [`67${name.slice(2, -NAME.length - 1).replaceAll('-', '.')}`],
    },
  });
  for (let i = 0; i < 200; i += 1) claim('shop', `67.1.1.${i}`);
  await settle(10_000);
  expect(asked.length).toBeLessThan(20);
  broken = false;
  await settle(20 * 60_000);
  for (let i = 0; i < 200; i += 1) claim('shop', `67.1.1.${i}`);
  await settle(120_000);
  for (let i = 0; i < 200; i += 1) expect(claim('shop', `67.1.1.${i}`)).toBe('verified');
});

test('any number of spoofed addresses evict no verified one from the cache', async () => {
  const { claim, asked } = setUp({ cacheSize: 100 });
  claim('shop', '66.1.1.1');
  for (let i = 0; i < 1_000; i += 1) claim('flooder', address('12', i));
  await settle(60_000);
  expect(claim('shop', '66.1.1.1')).toBe('verified');
  expect(asked.filter((ip) => ip === '66.1.1.1')).toHaveLength(1);
});

test('the verifier reports whether the resolver answers', async () => {
  const { verifier, claim } = setUp();
  expect(verifier.health()).toEqual({ state: 'unused', last_answer: null, failing_since: null });
  claim('site', '66.249.66.1');
  await settle(200);
  expect(verifier.health()).toMatchObject({ state: 'working', last_answer: '2023-11-14T22:13:20.100Z' });
  for (let network = 0; network < 5; network += 1) claim('site', `11.0.${network}.1`);
  await settle(100);
  expect(verifier.health()).toEqual({
    state: 'failing',
    last_answer: '2023-11-14T22:13:20.100Z',
    failing_since: '2023-11-14T22:13:20.200Z',
  });
  claim('site', '66.249.66.2');
  await settle(200);
  expect(verifier.health()).toMatchObject({ state: 'working', failing_since: null });
});
