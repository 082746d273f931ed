import { describe, expect, test } from 'vitest';
import { confirmHost, type DnsResolver, matchesHost } from './confirm-host.js';

const google = { hosts: ['*.googlebot.com', 'rate-limited-proxy-*.google.com'] };

/** A resolver with these records; for any other it throws ENOTFOUND. */
function records(reverse: Record<string, string[]>, forward: Record<string, string[]>): DnsResolver {
  const answer = async (all: Record<string, string[]>, name: string): Promise<string[]> => {
    const found = all[name];
    if (found === undefined) throw Object.assign(new Error(`ENOTFOUND ${name}`), { code: 'ENOTFOUND' });
    return found;
  };
  const only = (v6: boolean) => async (name: string) => {
    const found = (await answer(forward, name)).filter((address) => address.includes(':') === v6);
    if (found.length === 0) throw Object.assign(new Error(`ENODATA ${name}`), { code: 'ENODATA' });
    return found;
  };
  return { reverse: (ip) => answer(reverse, ip), resolve4: only(false), resolve6: only(true) };
}

const crawl = 'crawl-66-249-66-1.googlebot.com';

describe('confirmHost', () => {
  test('verifies a name of the family that resolves back', async () => {
    const resolver = records({ '66.249.66.1': [crawl] }, { [crawl]: ['66.249.66.1'] });
    expect(await confirmHost(resolver, google, '66.249.66.1')).toBe('verified');
  });

  test('ignores case and a trailing dot', async () => {
    const resolver = records(
      { '66.249.66.1': ['CRAWL-66-249-66-1.GoogleBot.COM.'] },
      { [crawl]: ['66.249.66.1'] },
    );
    expect(await confirmHost(resolver, google, '66.249.66.1')).toBe('verified');
  });

  test('compares IPv6 addresses, not their spellings', async () => {
    const resolver = records(
      { '2001:4860:4801:10::1f': ['geo-crawl.geo.googlebot.com'] },
      { 'geo-crawl.geo.googlebot.com': ['66.249.66.1', '2001:4860:4801:0010:0:0:0:1F'] },
    );
    expect(await confirmHost(resolver, google, '2001:4860:4801:10::1f')).toBe('verified');
  });

  test('accepts one correct name among several', async () => {
    const resolver = records({ '66.249.66.1': ['other.example', crawl] }, { [crawl]: ['66.249.66.1'] });
    expect(await confirmHost(resolver, google, '66.249.66.1')).toBe('verified');
  });

  test('reads only the first names of an address with very many', async () => {
    const names = Array.from({ length: 1_000 }, (_, index) => `n${index}.googlebot.com`);
    const asked: string[] = [];
    const resolver: DnsResolver = {
      reverse: async () => names,
      resolve4: async (name) => {
        asked.push(name);
        return ['192.0.2.1'];
      },
      resolve6: async () => [],
    };
    expect(await confirmHost(resolver, google, '192.0.2.9')).toBe('spoofed');
    expect(asked.length).toBeLessThan(20);
  });

  test.each([
    ['no name at all', {}, {}],
    ['a foreign name', { '192.0.2.1': ['host.example.net'] }, { 'host.example.net': ['192.0.2.1'] }],
    [
      'a name with the same ending',
      { '192.0.2.1': ['x.evil-googlebot.com'] },
      { 'x.evil-googlebot.com': ['192.0.2.1'] },
    ],
    [
      'a name that continues',
      { '192.0.2.1': [`${crawl}.evil.com`] },
      { [`${crawl}.evil.com`]: ['192.0.2.1'] },
    ],
    ['the bare domain', { '192.0.2.1': ['googlebot.com'] }, { 'googlebot.com': ['192.0.2.1'] }],
    ['a stolen name that resolves elsewhere', { '192.0.2.1': [crawl] }, { [crawl]: ['66.249.66.1'] }],
    ['a stolen name that resolves nowhere', { '192.0.2.1': [crawl] }, {}],
    ['a name with an address of the other version', { '192.0.2.1': [crawl] }, { [crawl]: ['2001:db8::1'] }],
  ])('classifies %s as spoofed', async (_, reverse, forward) => {
    expect(await confirmHost(records(reverse, forward), google, '192.0.2.1')).toBe('spoofed');
  });

  test('throws if the resolver fails, without a verdict', async () => {
    const failing = { code: 'ESERVFAIL' };
    const resolver = records({ '192.0.2.1': [crawl] }, {});
    await expect(
      confirmHost(
        { ...resolver, reverse: () => Promise.reject(Object.assign(new Error(), failing)) },
        google,
        '192.0.2.1',
      ),
    ).rejects.toMatchObject(failing);
    await expect(
      confirmHost(
        { ...resolver, resolve4: () => Promise.reject(Object.assign(new Error(), failing)) },
        google,
        '192.0.2.1',
      ),
    ).rejects.toMatchObject(failing);
  });

  test.each([
    ['without a forward record proves nothing', 'baiduspider-1.crawl.baidu.com', undefined, 'unverifiable'],
    ['that resolves back is verified', 'baiduspider-1.crawl.baidu.com', '192.0.2.1', 'verified'],
    ['that resolves elsewhere is spoofed', 'baiduspider-1.crawl.baidu.com', '192.0.2.9', 'spoofed'],
    ['that is foreign is spoofed', 'host.example.net', undefined, 'spoofed'],
  ])('if the operator has no forward records, a name %s', async (_, name, address, verdict) => {
    const baidu = { hosts: ['*.baidu.com'], forward_records: false as const };
    const resolver = records({ '192.0.2.1': [name] }, address === undefined ? {} : { [name]: [address] });
    expect(await confirmHost(resolver, baidu, '192.0.2.1')).toBe(verdict);
  });
});

test.each([
  ['rate-limited-proxy-*.google.com', 'rate-limited-proxy-66-249-90-77.google.com', true],
  ['rate-limited-proxy-*.google.com', 'google-proxy-66-249-90-77.google.com', false],
  ['rate-limited-proxy-*.google.com', 'rate-limited-proxy-1.evil.google.com', false],
  ['rate-limited-proxy-*.google.com', 'rate-limited-proxy-.google.com', false],
  ['*.googlebot.com', 'a.b.googlebot.com', true],
  ['*.googlebot.com', '.googlebot.com', false],
])('the pattern %s against %s: %s', (pattern, name, expected) => {
  expect(matchesHost(pattern, name)).toBe(expected);
});
