import ipaddr from 'ipaddr.js';
import { describe, expect, test } from 'vitest';
import { platforms } from '../control/domain/model.js';
import { detectPlatform, type PlatformResolver } from './detect-platform.js';
import { hostingProviders } from './hosting-providers.js';

interface Zone {
  cname?: Record<string, string[]>;
  a?: Record<string, string[]>;
  aaaa?: Record<string, string[]>;
  ns?: Record<string, string[]>;
}

function resolverOf({ cname = {}, a = {}, aaaa = {}, ns = {} }: Zone): PlatformResolver {
  const lookUp = (records: Record<string, string[]>) => async (name: string) => {
    const found = records[name];
    if (found === undefined)
      throw Object.assign(new Error(`queryAny ENOTFOUND ${name}`), { code: 'ENOTFOUND' });
    return found;
  };
  return { resolveCname: lookUp(cname), resolve4: lookUp(a), resolve6: lookUp(aaaa), resolveNs: lookUp(ns) };
}

const detect = async (domain: string, zone: Zone) =>
  (await detectPlatform(domain, { resolver: resolverOf(zone) })).cdn;

describe('detectPlatform', () => {
  test.each([
    ['shop.example.com.cdn.cloudflare.net', 'cloudflare', 'cloudflare'],
    ['d111111abcdef8.cloudfront.net', 'cloudfront', 'aws'],
    ['lb-1.eu-west-1.elb.amazonaws.com', 'aws', 'aws'],
    ['cname.vercel-dns.com', 'vercel', 'vercel'],
    ['brave-curie-671954.netlify.app', 'netlify', 'netlify'],
    ['dualstack.n.sni.global.fastly.net', 'fastly', 'fastly'],
    ['www.shop.example.com.edgekey.net', 'akamai', 'akamai'],
    ['shop.b-cdn.net', 'bunny', 'vector'],
    ['shops.myshopify.com', 'shopify', 'cloudflare'],
  ])('a CNAME to %s is %s', async (target, cdn, sourceType) => {
    const resolver = resolverOf({ cname: { 'shop.example.com': [target] } });
    const detected = await detectPlatform('shop.example.com', { resolver });
    expect(detected).toMatchObject({ cdn, sourceType, compatible: cdn !== 'shopify' });
    expect(detected.displayName).not.toBe('');
  });

  test('the first known name of a chain counts: the customer’s target, not the host behind it', async () => {
    const cname = {
      'shop.example.com': ['Proxy.Example.net.'],
      'Proxy.Example.net.': ['site.herokudns.com'],
      'site.herokudns.com': ['lb.elb.amazonaws.com'],
    };
    expect(await detect('shop.example.com', { cname })).toBe('heroku');
  });

  test('a name with a merely similar ending is not the platform', async () => {
    expect(await detect('a.example', { cname: { 'a.example': ['notfastly.net'] } })).toBe('unknown');
  });

  test('addresses of a bare domain identify the platform', async () => {
    expect(await detect('a.example', { a: { 'a.example': ['76.76.21.21'] } })).toBe('vercel');
    expect(await detect('a.example', { a: { 'a.example': ['151.101.1.195'] } })).toBe('fastly');
    expect(await detect('a.example', { a: { 'a.example': ['104.21.3.4'] } })).toBe('cloudflare');
    expect(await detect('a.example', { aaaa: { 'a.example': ['2606:4700:3030::1'] } })).toBe('cloudflare');
    expect(await detect('a.example', { a: { 'a.example': ['192.0.2.1'] } })).toBe('unknown');
  });

  test('the network identifies it if no range does, and a hosted service precedes its network', async () => {
    const a = { 'a.example': ['192.0.2.1'], 'b.example': ['23.227.38.65'], 'c.example': ['185.199.108.153'] };
    const options = { resolver: resolverOf({ a }), asnOf: () => 13335 };
    expect((await detectPlatform('a.example', options)).cdn).toBe('cloudflare');
    expect((await detectPlatform('b.example', options)).cdn).toBe('shopify');
    const onFastly = { ...options, asnOf: () => 54113 };
    expect((await detectPlatform('c.example', onFastly)).cdn).toBe('github_pages');
  });

  test('without evidence from the bare domain its www twin is queried, then the parent name servers', async () => {
    const cname = { 'www.a.example': ['x.cloudfront.net'] };
    const ns = { 'a.example': ['kate.ns.cloudflare.com'] };
    expect(await detect('a.example', { cname, ns, a: { 'a.example': ['192.0.2.1'] } })).toBe('cloudfront');
    expect(await detect('shop.a.example', { ns })).toBe('cloudflare');
  });

  test('addresses outweigh name servers', async () => {
    const ns = { 'a.example': ['kate.ns.cloudflare.com'] };
    expect(await detect('a.example', { ns, a: { 'a.example': ['75.2.60.5'] } })).toBe('netlify');
  });

  test('a domain that DNS does not know is on no known platform', async () => {
    const detected = await detectPlatform('nowhere.example', { resolver: resolverOf({}) });
    expect(detected).toMatchObject({ cdn: 'unknown', compatible: true, sourceType: null });
  });

  test('answers received by the deadline decide', async () => {
    const never = () => new Promise<string[]>(() => {});
    const resolver = {
      ...resolverOf({ a: { 'a.example': ['76.76.21.21'] } }),
      resolveNs: never,
      resolveCname: never,
    };
    const started = performance.now();
    expect((await detectPlatform('a.example', { resolver, timeoutMs: 50 })).cdn).toBe('vercel');
    expect(performance.now() - started).toBeLessThan(1_000);
  });

  test('a loop of CNAMEs ends', async () => {
    const cname = { 'a.example': ['b.example'], 'b.example': ['a.example'] };
    expect(await detect('a.example', { cname })).toBe('unknown');
  });

  test('a resolver that throws instead of rejecting is handled', async () => {
    const broken = () => {
      throw new Error('broken');
    };
    const resolver = { resolveCname: broken, resolve4: broken, resolve6: broken, resolveNs: broken };
    expect((await detectPlatform('a.example', { resolver })).cdn).toBe('unknown');
  });
});

test('the table of hosting providers is valid', () => {
  expect(new Set(hostingProviders.map(({ cdn }) => cdn)).size).toBe(hostingProviders.length);
  for (const { ranges = [], sourceType, cnames } of hostingProviders) {
    for (const range of ranges) expect(ipaddr.isValidCIDR(range), range).toBe(true);
    for (const name of cnames) expect(name).toMatch(/^[a-z\d-]+(\.[a-z\d-]+)+$/);
    expect(platforms).toContain(sourceType);
  }
});
