import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import { addressLists, impostorLists, pathLists } from '../../../test/harness/api/snippet-entries.js';
import { findWebServer, startWebServer, type WebServer } from '../../../test/harness/web-server.js';
import { apache } from './apache.js';
import { goablePaths } from './gone-paths.js';
import { nginx } from './nginx.js';
import type { Impostor } from './target.js';

/** Real nginx and Apache accept the texts and refuse exactly the listed entries. */

let server: WebServer | null = null;
afterEach(async () => {
  await server?.stop();
  server = null;
});

const googlebot: Impostor = {
  name: 'Googlebot',
  userAgentPart: 'Googlebot',
  addresses: ['203.0.113.5', '2001:db8::7'],
  realOneSeen: true,
  isSearchCrawler: true,
};
const strange: Impostor = {
  ...googlebot,
  name: 'x',
  userAgentPart: 'Ac"m}e{$x}%{y}#\\ bot',
  addresses: ['198.51.100.3'],
};
const unnamed: Impostor = { ...googlebot, userAgentPart: '', addresses: ['198.51.100.4'] };
const crawler = 'Mozilla/5.0 (compatible; googlebot/2.1)';

describe.each([nginx, apache])('$name', (target) => {
  const name = target.name as 'nginx' | 'apache';
  const binary = findWebServer(name);
  const start = async (text: string) => (server = await startWebServer(name, binary!, text));

  it.runIf(binary !== null)('refuses only listed addresses', async () => {
    const { statusOf } = await start(target.blockIps(['203.0.113.6', '2001:db8::8']).text);
    expect(await statusOf('/page')).toBe(404);
    expect(await statusOf('/page', { address: '203.0.113.6' })).toBe(403);
    expect(await statusOf('/page', { address: '2001:db8::8' })).toBe(403);
    expect(await statusOf('/page', { address: '203.0.113.60' })).toBe(404);
  });

  it.runIf(binary !== null)('refuses a name only from its addresses, never the real crawler', async () => {
    const { statusOf } = await start(target.blockBots([googlebot, strange, unnamed]).text);
    expect(await statusOf('/page', { address: '203.0.113.5', userAgent: crawler })).toBe(403);
    expect(await statusOf('/page', { address: '2001:db8::7', userAgent: crawler })).toBe(403);
    expect(await statusOf('/page', { address: '203.0.113.5' })).toBe(404);
    expect(await statusOf('/page', { address: '66.249.66.1', userAgent: crawler })).toBe(404);
    expect(await statusOf('/page', { address: '203.0.113.50', userAgent: crawler })).toBe(404);
    expect(await statusOf('/page', { address: '1203.0.113.5', userAgent: crawler })).toBe(404);
    expect(
      await statusOf('/page', { address: '198.51.100.3', userAgent: `a ${strange.userAgentPart}` }),
    ).toBe(403);
    expect(await statusOf('/page', { address: '198.51.100.3' })).toBe(404);
    expect(await statusOf('/page', { address: '198.51.100.4' })).toBe(403);
  });

  it.runIf(binary !== null)('accepts one name with 500 addresses, for any length of the name', async () => {
    const addresses = Array.from(
      { length: 500 },
      (_, index) => `2001:db8:1111:2222:3333:4444:${(0x1000 + index).toString(16)}:5555`,
    );
    const many = { ...googlebot, addresses };
    const long = { ...many, userAgentPart: '"💣{$'.repeat(3_000) };
    const { statusOf } = await start(target.blockBots([many, long]).text);
    for (const address of [addresses[0]!, addresses[49]!, addresses[250]!, addresses[499]!])
      expect(await statusOf('/page', { address, userAgent: crawler }), address).toBe(403);
    expect(await statusOf('/page', { address: addresses[499]! })).toBe(404);
    expect(await statusOf('/page', { address: '2001:db8::9', userAgent: crawler })).toBe(404);
  });

  it.runIf(binary !== null)('answers 410 only for listed paths', async () => {
    const gone = [
      '/old',
      '/a%20b',
      '/caf%C3%A9',
      '/caf%c3%a9',
      "/it's(1)+$*",
      '/x%22%5C%7Bq%7D',
      '/%25HOME%25',
    ];
    expect(goablePaths(gone)).toEqual(gone);
    const { statusOf } = await start(target.gone(gone).text);
    for (const path of gone) expect(await statusOf(path), path).toBe(410);
    expect(await statusOf('/old?page=2')).toBe(410);
    for (const path of ['/', '/old/', '/older', '/a', '/x/old', '/it', '/OLD', '/%25HOME'])
      expect(await statusOf(path), path).toBe(404);
  });

  it.runIf(binary !== null)('accepts any texts from requests', { timeout: 240_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(addressLists, impostorLists, pathLists, async (addresses, impostors, hostile) => {
        const paths = goablePaths(hostile);
        const entries = [target.blockIps(addresses), target.blockBots(impostors), target.gone(paths)];
        const { statusOf, stop } = await startWebServer(
          name,
          binary!,
          entries.map(({ text }) => text).join(''),
        );
        try {
          const stranger = {
            address: '192.0.2.250',
            userAgent: impostors[0]!.userAgentPart.replace(/[^ -~]/g, ''),
          };
          expect(await statusOf('/another-page', stranger)).toBe(404);
          expect(await statusOf('/another-page', { address: addresses.at(-1)! })).toBe(403);
          for (const path of paths.slice(0, 5)) expect(await statusOf(path), path).toBe(410);
        } finally {
          await stop();
        }
      }),
      { numRuns: 12 },
    );
  });
});
