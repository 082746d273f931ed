import { describe, expect, test } from 'vitest';
import { createCheckedResolver } from './checked-resolver.js';
import type { DnsResolver } from './confirm-host.js';

const notFound = () => Promise.reject(Object.assign(new Error('no'), { code: 'ENOTFOUND' }));

function resolverThat(names: Record<string, string[]>): DnsResolver & { asked: string[] } {
  const asked: string[] = [];
  const answer = (question: string) => {
    asked.push(question);
    const found = names[question];
    return found === undefined ? notFound() : Promise.resolve(found);
  };
  return { asked, reverse: answer, resolve4: answer, resolve6: answer };
}

describe('a checked resolver', () => {
  test('returns "no such name" while the public DNS answers', async () => {
    const resolver = createCheckedResolver(resolverThat({ '9.9.9.9': ['dns9.quad9.net'] }), () => 0);
    await expect(resolver.reverse('192.0.2.1')).rejects.toMatchObject({ code: 'ENOTFOUND' });
  });

  test('turns it into a failure if the public DNS is unreachable, so that no client is classified as spoofed', async () => {
    const resolver = createCheckedResolver(resolverThat({}), () => 0);
    await expect(resolver.reverse('192.0.2.1')).rejects.toMatchObject({ code: 'ESERVFAIL' });
  });

  test('returns a positive answer without further queries', async () => {
    const inner = resolverThat({ '192.0.2.1': ['crawl.example.com'] });
    const resolver = createCheckedResolver(inner, () => 0);
    expect(await resolver.reverse('192.0.2.1')).toEqual(['crawl.example.com']);
    expect(inner.asked).toEqual(['192.0.2.1']);
  });

  test('queries the public names once a minute, not for every address', async () => {
    let now = 0;
    const inner = resolverThat({ '8.8.8.8': ['dns.google'] });
    const resolver = createCheckedResolver(inner, () => now);
    for (let i = 0; i < 5; i += 1) await resolver.reverse(`192.0.2.${i}`).catch(() => {});
    expect(inner.asked.filter((question) => question === '8.8.8.8')).toHaveLength(1);
    now = 61_000;
    await resolver.reverse('192.0.2.9').catch(() => {});
    expect(inner.asked.filter((question) => question === '8.8.8.8')).toHaveLength(2);
  });
});
