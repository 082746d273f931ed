import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { DAY_MS } from '../../../shared/durations.js';
import type { DnsResolver, DnsVerdict } from './confirm-host.js';
import { createDnsVerifier, type DnsVerifierOptions } from './dns-verifier.js';

const NAME = 'crawl.googlebot.com';

/** Every address from 66.* is Google's; all others have no name. */
const honest: DnsResolver = {
  reverse: async (ip) => {
    if (ip.startsWith('66.')) return [`${ip.replaceAll('.', '-')}.${NAME}`];
    throw Object.assign(new Error('ENOTFOUND'), { code: 'ENOTFOUND' });
  },
  resolve4: async (name) => [name.slice(0, -NAME.length - 1).replaceAll('-', '.')],
  resolve6: async () => [],
};

const failing = (code: string) => Promise.reject(Object.assign(new Error(code), { code }));
const never = () => new Promise<string[]>(() => {});

type Late = [family: string, ip: string, status: DnsVerdict, decidedAt: number];

function setUp(options: Partial<DnsVerifierOptions> = {}) {
  const late: Late[] = [];
  const asked: string[] = [];
  const inner = options.resolver ?? honest;
  const resolver: DnsResolver = {
    ...inner,
    reverse: (ip) => {
      asked.push(ip);
      return inner.reverse(ip);
    },
  };
  const made = createDnsVerifier({
    families: [
      { name: 'Google', hosts: ['*.googlebot.com'], documentation: 'https://example.com' },
      { name: 'Ranges only', feeds: ['x'], documentation: 'https://example.com' },
    ],
    now: Date.now,
    lookupsPerSecond: 1_000,
    timeoutMs: 3_000,
    cacheSize: 1_000,
    concurrency: 4,
    onVerdict: ({ family, clientIp, status, decidedAt }) => late.push([family, clientIp, status, decidedAt]),
    ...options,
    resolver,
  });
  const verifier = {
    ...made,
    verdictOf: (family: string, ip: string, websiteId = 'site') =>
      made.verdictOf(family, ip, { websiteId, lastDay: 20_000 }),
  };
  return { verifier, late, asked };
}

beforeEach(() => void vi.useFakeTimers({ now: 1_700_000_000_000 }));
afterEach(() => void vi.useRealTimers());
const settle = (ms = 0) => vi.advanceTimersByTimeAsync(ms);

describe('createDnsVerifier', () => {
  test('returns pending at once, and the verdict after the lookup', async () => {
    const { verifier, late } = setUp();
    expect(verifier.verdictOf('Google', '66.1.1.1')).toBe('pending');
    expect(verifier.verdictOf('Google', '9.9.9.9')).toBe('pending');
    await settle();
    expect(verifier.verdictOf('Google', '66.1.1.1')).toBe('verified');
    expect(verifier.verdictOf('Google', '9.9.9.9')).toBe('spoofed');
    expect(late.sort()).toEqual([
      ['Google', '66.1.1.1', 'verified', Date.now()],
      ['Google', '9.9.9.9', 'spoofed', Date.now()],
    ]);
  });

  test('looks up an address once for any number of requests', async () => {
    const { verifier, asked, late } = setUp();
    for (let i = 0; i < 50; i += 1) verifier.verdictOf('Google', '66.1.1.1');
    await settle();
    for (let i = 0; i < 50; i += 1) verifier.verdictOf('Google', '66.1.1.1');
    expect(asked).toEqual(['66.1.1.1']);
    expect(late).toHaveLength(1);
  });

  test('looks up nothing for a family without host patterns', async () => {
    const { verifier, asked } = setUp();
    expect(verifier.verdictOf('Ranges only', '66.1.1.1')).toBe('unverifiable');
    expect(verifier.verdictOf('Nobody', '66.1.1.1')).toBe('unverifiable');
    await settle(10_000);
    expect(asked).toEqual([]);
  });

  test('classifies an invalid address as spoofed, without a lookup or a stored verdict', async () => {
    const { verifier, asked, late } = setUp();
    for (const text of ['', '66.1.1', '66.1.1.1\tx', 'fe80::1%eth0']) {
      expect(verifier.verdictOf('Google', text)).toBe('spoofed');
    }
    await settle(10_000);
    expect([asked, late]).toEqual([[], []]);
  });

  test('caches verified for seven days and spoofed for one, then looks up again', async () => {
    const { verifier, asked } = setUp();
    verifier.verdictOf('Google', '66.1.1.1');
    verifier.verdictOf('Google', '9.9.9.9');
    await settle();
    await settle(DAY_MS - 1);
    expect(verifier.verdictOf('Google', '9.9.9.9')).toBe('spoofed');
    await settle(1);
    expect(verifier.verdictOf('Google', '9.9.9.9')).toBe('pending');
    await settle(6 * DAY_MS - 1);
    expect(verifier.verdictOf('Google', '66.1.1.1')).toBe('verified');
    await settle(1);
    expect(verifier.verdictOf('Google', '66.1.1.1')).toBe('pending');
    await settle();
    expect(asked).toEqual(['66.1.1.1', '9.9.9.9', '9.9.9.9', '66.1.1.1']);
  });

  test.each(['ESERVFAIL', 'ETIMEOUT', 'ECONNREFUSED', 'EAI_AGAIN'])(
    'stays pending after %s, retries, and recovers',
    async (code) => {
      let broken = true;
      const { verifier, late, asked } = setUp({
        resolver: { ...honest, reverse: (ip) => (broken ? failing(code) : honest.reverse(ip)) },
      });
      verifier.verdictOf('Google', '66.1.1.1');
      await settle(4_999);
      expect(asked).toHaveLength(1);
      expect(verifier.verdictOf('Google', '66.1.1.1')).toBe('pending');
      await settle(1);
      expect(asked).toHaveLength(2);
      broken = false;
      await settle(20_000);
      expect(verifier.verdictOf('Google', '66.1.1.1')).toBe('verified');
      expect(late).toHaveLength(1);
    },
  );

  test('gives up a failing lookup after bounded attempts, and starts again with the next request', async () => {
    const { verifier, asked, late } = setUp({ resolver: { ...honest, reverse: () => failing('ESERVFAIL') } });
    verifier.verdictOf('Google', '66.1.1.1');
    await settle(DAY_MS);
    expect(asked).toHaveLength(6);
    expect(verifier.sizes()).toMatchObject({ waiting: 0, resting: 0, running: 0 });
    expect(verifier.verdictOf('Google', '66.1.1.1')).toBe('pending');
    await settle();
    expect(asked).toHaveLength(7);
    expect(late).toEqual([]);
  });

  test('a silent resolver costs a timeout, and blocks no slot permanently', async () => {
    const { verifier, asked } = setUp({
      concurrency: 1,
      timeoutMs: 3_000,
      resolver: { ...honest, reverse: never },
    });
    verifier.verdictOf('Google', '66.1.1.1');
    verifier.verdictOf('Google', '66.1.1.2');
    await settle(2_999);
    expect(asked).toEqual(['66.1.1.1']);
    await settle(1);
    expect(asked).toEqual(['66.1.1.1', '66.1.1.2']);
  });

  test('respects the limits on lookups per second and on concurrent lookups', async () => {
    const paced = setUp({ lookupsPerSecond: 10, concurrency: 1_000 });
    for (let i = 0; i < 100; i += 1) paced.verifier.verdictOf('Google', `66.1.1.${i}`);
    await settle();
    expect(paced.asked).toHaveLength(10);
    await settle(1_000);
    expect(paced.asked.length).toBeGreaterThanOrEqual(18);
    expect(paced.asked.length).toBeLessThanOrEqual(20);
    await settle(20_000);
    expect(paced.asked).toHaveLength(100);

    const narrow = setUp({ concurrency: 3, resolver: { ...honest, reverse: never } });
    for (let i = 0; i < 50; i += 1) narrow.verifier.verdictOf('Google', `66.1.1.${i}`, `site-${i}`);
    await settle();
    expect(narrow.verifier.sizes()).toEqual({ waiting: 47, resting: 0, running: 3, verdicts: 0 });
  });

  test('a full queue refuses addresses, which stay pending and are looked up later', async () => {
    const { verifier, asked } = setUp({ queueSize: 2, lookupsPerSecond: 1 });
    for (let i = 1; i <= 5; i += 1) expect(verifier.verdictOf('Google', `66.1.1.${i}`)).toBe('pending');
    await settle(10_000);
    // One was running, two were waiting.
    expect(asked).toEqual(['66.1.1.1', '66.1.1.2', '66.1.1.3']);
    verifier.verdictOf('Google', '66.1.1.5');
    await settle(2_000);
    expect(verifier.verdictOf('Google', '66.1.1.5')).toBe('verified');
  });

  test('caches verdicts up to its limit', async () => {
    const { verifier } = setUp({ cacheSize: 10 });
    for (let i = 0; i < 30; i += 1) verifier.verdictOf('Google', `66.1.1.${i}`);
    await settle(1_000);
    expect(verifier.sizes().verdicts).toBe(10);
  });

  test('uses seeded verdicts without a lookup or a notification, except expired ones', async () => {
    const { verifier, asked, late } = setUp();
    const at = (days: number) => Date.now() - days * DAY_MS;
    verifier.seed([
      { family: 'Google', clientIp: '66.1.1.1', status: 'verified', decidedAt: at(6) },
      { family: 'Google', clientIp: '9.9.9.9', status: 'spoofed', decidedAt: at(0.5) },
      { family: 'Google', clientIp: '9.9.9.8', status: 'spoofed', decidedAt: at(2) },
    ]);
    expect(verifier.verdictOf('Google', '66.1.1.1')).toBe('verified');
    expect(verifier.verdictOf('Google', '9.9.9.9')).toBe('spoofed');
    expect(verifier.verdictOf('Google', '9.9.9.8')).toBe('pending');
    await settle();
    expect(asked).toEqual(['9.9.9.8']);
    expect(late).toHaveLength(1);
  });

  test('reports nothing after stop', async () => {
    const { verifier, late } = setUp({ lookupsPerSecond: 1 });
    verifier.verdictOf('Google', '66.1.1.1');
    verifier.verdictOf('Google', '66.1.1.2');
    verifier.stop();
    await settle(60_000);
    expect(late).toEqual([]);
    expect(verifier.verdictOf('Google', '66.1.1.3')).toBe('pending');
  });
});
