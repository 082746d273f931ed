import { Script } from 'node:vm';
import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { platforms } from '../../../shared/control/domain/model.js';
import { addressLists, impostorLists, pathLists, runs } from '../../../test/harness/api/snippet-entries.js';
import { snippetTargetOf, snippetTargets, targetOfPlatform } from './all-snippets.js';
import { cloudfront, MAX_FUNCTION_BYTES } from './cloudfront.js';
import { fastly } from './fastly.js';
import { goablePaths } from './gone-paths.js';
import { netlify } from './netlify.js';
import { robots } from './robots.js';
import { snippetTargetNames } from './target.js';
import { vercel } from './vercel.js';

/** Each configuration is read back by a parser of its format, and contains exactly the entries: request data can not break out. */

const clients = (text: string) => ({ address: text });

describe('cloudfront', () => {
  const call = (code: string, event: unknown): { statusCode?: number } =>
    new Script(`${code}\nhandler(${JSON.stringify(event)})`).runInNewContext();
  const requestOf = ({ address = '192.0.2.99', userAgent = 'Firefox', uri = '/' }) => ({
    viewer: { ip: address },
    request: { uri, headers: { 'user-agent': { value: userAgent } } },
  });

  it('runs, and refuses only the listed entries', () => {
    fc.assert(
      fc.property(addressLists, impostorLists, pathLists, (addresses, impostors, hostile) => {
        const paths = goablePaths(hostile);
        const byIp = cloudfront.blockIps(addresses);
        for (const code of [byIp.text, cloudfront.blockBots(impostors).text, cloudfront.gone(paths).text]) {
          expect(Buffer.byteLength(code)).toBeLessThanOrEqual(MAX_FUNCTION_BYTES);
          if (code !== '') expect(call(code, requestOf({}))).toHaveProperty('uri', '/');
        }
        expect(call(byIp.text, requestOf(clients(addresses[0]!)))).toEqual({
          statusCode: 403,
          statusDescription: 'Forbidden',
        });
        expect(byIp.count).toBeGreaterThan(100 * Number(addresses.length > 100));
        const [first] = impostors;
        const from = { address: first!.addresses[0]!, userAgent: `Mozilla/5.0 ${first!.userAgentPart}` };
        expect(call(cloudfront.blockBots(impostors).text, requestOf(from)).statusCode).toBe(403);
        if (paths.length > 0)
          expect(call(cloudfront.gone(paths).text, requestOf({ uri: paths[0]! })).statusCode).toBe(410);
      }),
      { numRuns: 60 },
    );
  });

  it('reports the number of entries that fit into a function', () => {
    const addresses = Array.from(
      { length: 500 },
      (_, index) => `2001:db8:1111:2222:3333:4444:5555:${(index + 4096).toString(16)}`,
    );
    const { text, count, notes } = cloudfront.blockIps(addresses);
    expect(count).toBeLessThan(500);
    expect(notes.join(' ')).toContain(`${count} of 500 entries`);
    expect(call(text, requestOf(clients(addresses[count - 1]!))).statusCode).toBe(403);
    expect(call(text, requestOf(clients(addresses[count]!)))).not.toHaveProperty('statusCode');
  });

  it('lets a request without a user agent through', () => {
    const impostor = {
      name: 'X',
      userAgentPart: 'X',
      addresses: ['192.0.2.1'],
      realOneSeen: false,
      isSearchCrawler: false,
    };
    const event = { viewer: { ip: '192.0.2.1' }, request: { uri: '/', headers: {} } };
    expect(call(cloudfront.blockBots([impostor]).text, event)).toHaveProperty('uri', '/');
  });
});

describe('fastly', () => {
  it('is balanced, and its strings are the entries', () => {
    fc.assert(
      fc.property(addressLists, impostorLists, pathLists, (addresses, impostors, hostile) => {
        const paths = goablePaths(hostile).filter((path) => path.length <= 256);
        expect(stringsOf(fastly.blockIps(addresses).text)).toEqual([...addresses, 'Forbidden']);
        const bots = stringsOf(fastly.blockBots(impostors).text).filter((text) => text !== 'Forbidden');
        const patterns = bots
          .slice(-impostors.length)
          .map((text) => new RegExp(text.slice('(?i)'.length), 'i'));
        expect(bots.slice(0, -impostors.length)).toEqual(impostors.flatMap((one) => one.addresses));
        for (const [index, { userAgentPart }] of impostors.entries())
          expect(patterns[index]!.test(Buffer.from(userAgentPart).toString('latin1'))).toBe(true);
        const gone = stringsOf(fastly.gone(paths).text).filter((text) => text !== '1' && text !== 'Gone');
        expect(gone).toEqual(paths);
      }),
      runs,
    );
  });
});

describe('vercel', () => {
  it('is JSON whose patterns match only the listed paths', () => {
    fc.assert(
      fc.property(pathLists, pathLists, (hostile, others) => {
        const paths = goablePaths(hostile);
        const { text, count } = vercel.gone(paths);
        expect(count).toBe(paths.length);
        if (paths.length === 0) {
          expect(text).toBe('');
          return;
        }
        const { routes, ...rest } = JSON.parse(text);
        expect(rest).toEqual({});
        for (const path of others) {
          const met = routes.some(({ src }: { src: string }) => new RegExp(src).test(path));
          expect(met).toBe(paths.includes(path));
        }
        expect(
          routes.map(({ src }: { src: string }, index: number) => new RegExp(src).test(paths[index]!)),
        ).toEqual(paths.map(() => true));
      }),
      runs,
    );
  });
});

describe('netlify', () => {
  it('has three fields per line, with the path first', () => {
    fc.assert(
      fc.property(pathLists, (hostile) => {
        const paths = goablePaths(hostile);
        const { text, count, notes } = netlify.gone(paths);
        const lines = text.split('\n').filter((line) => line !== '');
        expect(lines).toHaveLength(count);
        for (const line of lines) {
          const [path, ...rest] = line.split(/\s+/);
          expect(paths).toContain(path);
          expect(path).not.toMatch(/[*:#]/);
          expect(rest).toEqual(['/404.html', '410']);
        }
        if (count < paths.length)
          expect(notes.join(' ')).toContain(`Paths left out: ${paths.length - count}.`);
      }),
      runs,
    );
  });
});

describe('robots', () => {
  it('blocks no claimed crawler, because only the real one would obey', () => {
    fc.assert(
      fc.property(impostorLists, (impostors) => {
        const { text, count, notes } = robots.blockBots(impostors);
        expect([text, count]).toEqual(['', 0]);
        expect(notes.join(' ')).toContain('the real crawler with that name would stay away');
      }),
      runs,
    );
  });
});

describe('every target', () => {
  it('is listed once, in the order of its names', () => {
    expect(snippetTargets.map(({ name }) => name)).toEqual(snippetTargetNames);
  });

  it('is the default of some platform that exists, and every platform has one', () => {
    for (const platform of platforms) expect(snippetTargetOf(targetOfPlatform[platform]).name).toBeDefined();
  });

  test.each(snippetTargets.map((target) => [target.name, target] as const))(
    '%s: no entries give no text, and a missing text has a reason',
    (_name, target) => {
      for (const snippet of [target.blockIps([]), target.blockBots([]), target.gone([])]) {
        expect(snippet).toMatchObject({ count: 0, text: '' });
        expect(snippet.notes.length).toBeGreaterThan(0);
        expect(snippet.filename).toMatch(/^[\w.-]+$/);
      }
    },
  );
});

/** Strings of VCL in their order, with `%xx` decoded outside of patterns. @throws if there is anything besides strings and our keywords. */
function stringsOf(text: string): string[] {
  const strings: string[] = [];
  const skeleton = text.replace(/"([^"\n]*)"/g, (_, inner: string) => {
    strings.push(inner.startsWith('(?i)') ? inner : decodeURIComponent(inner));
    return 'S';
  });
  expect(skeleton.replace(/# --- recv ---\n/, '')).toMatch(
    /^(?:(?:acl|table) loglane_\w+ \{\n(?: {2}S(?:: S)?[;,]\n)+\}\n)*(?:if \((?:client\.ip ~ loglane_\w+(?: && req\.http\.User-Agent ~ S)?|table\.contains\(loglane_gone, req\.url\.path\))\) \{\n {2}error 4\d\d S;\n\}\n)*$/,
  );
  return strings;
}
