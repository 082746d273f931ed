import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { loadRangeHistory } from '../../shared/crawlers/load-table.js';
import type { Feed } from '../../shared/crawlers/table-schema.js';
import { refreshFeeds } from './refresh-feeds.js';

let server: Server;
let folder: string;
let answers: Record<string, string | number>;

beforeEach(async () => {
  folder = await mkdtemp(`${tmpdir()}/loglane-ranges-`);
  answers = {};
  server = createServer((request, response) => {
    const answer = answers[request.url ?? ''];
    // No answer simulates a server that hangs.
    if (answer === undefined) return;
    response.statusCode = typeof answer === 'number' ? answer : 200;
    response.end(String(answer));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});

afterEach(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  await rm(folder, { recursive: true });
});

const feed = (name: string, changes: Partial<Feed> = {}): Feed => ({
  name,
  operator: 'Example',
  urls: [`http://127.0.0.1:${(server.address() as AddressInfo).port}/${name}`],
  format: 'prefixes',
  min_prefixes: 1,
  max_prefixes: 3,
  ...changes,
});

/** Only a feed that never answers waits so long. A busy machine needs a second for a large answer. */
const TIMEOUT_MS = 3_000;
const refreshOn = (today: string, ...feeds: Feed[]) =>
  refreshFeeds({ feeds, folder, today, timeoutMs: TIMEOUT_MS });
const refresh = (...feeds: Feed[]) => refreshOn('2026-11-21', ...feeds);
const prefixes = (...texts: string[]) =>
  JSON.stringify({ creationTime: 'then', prefixes: texts.map((text) => ({ ipv4Prefix: text })) });

describe('refreshFeeds', () => {
  test('writes a dated snapshot that the loader accepts, and keeps earlier ones', async () => {
    answers['/a'] = prefixes('66.249.64.0/27');
    await refreshOn('2026-01-01', feed('a'));
    await writeFile(`${folder}/2026-01-01-b-a.json`, 'of another feed');
    answers['/a'] = prefixes('66.249.66.0/24', '66.249.64.0/27', '66.249.64.0/27');
    expect(await refresh(feed('a'))).toEqual([{ feed: 'a', entries: 2, problem: null }]);
    expect((await readdir(folder)).sort()).toEqual([
      '2026-01-01-a.json',
      '2026-01-01-b-a.json',
      '2026-11-21-a.json',
    ]);
    await rm(`${folder}/2026-01-01-b-a.json`);
    const snapshot = { feed: 'a', operator: 'Example', urls: feed('a').urls, published: 'then' };
    expect(loadRangeHistory(folder).get('a')).toEqual([
      { ...snapshot, retrieved: '2026-01-01', prefixes: ['66.249.64.0/27'] },
      { ...snapshot, retrieved: '2026-11-21', prefixes: ['66.249.64.0/27', '66.249.66.0/24'] },
    ]);
  });

  test('keeps one snapshot of an unchanged list, with its first day', async () => {
    answers['/a'] = prefixes('66.249.64.0/27');
    for (const today of ['2026-01-01', '2026-02-01', '2026-03-01']) await refreshOn(today, feed('a'));
    expect(await readdir(folder)).toEqual(['2026-03-01-a.json']);
    expect(loadRangeHistory(folder).get('a')).toMatchObject([
      { retrieved: '2026-03-01', since: '2026-01-01' },
    ]);
    answers['/a'] = prefixes('66.249.66.0/24');
    await refreshOn('2026-04-01', feed('a'));
    await refreshOn('2026-04-01', feed('a'));
    expect((await readdir(folder)).sort()).toEqual(['2026-03-01-a.json', '2026-04-01-a.json']);
  });

  test('joins the parts of a feed that has several addresses', async () => {
    answers['/v4'] = '8.8.8.8\n';
    answers['/v6'] = '2001:4860:4860::8888\n';
    const urls = [...feed('v4').urls, ...feed('v6').urls];
    expect(await refresh(feed('both', { urls, format: 'text' }))).toMatchObject([{ entries: 2 }]);
  });

  test.each<[string, string | number | undefined, RegExp]>([
    ['is missing', 404, /HTTP 404/],
    ['does not answer', undefined, /timeout/i],
    ['is an HTML page', '<html></html>', /JSON/],
    ['has no prefixes', '{"prefixes":[]}', /too_small|Too small/],
    ['has too few prefixes', prefixes('8.8.8.0/24'), /1 prefixes, expected 2 to 3/],
    [
      'has too many prefixes',
      prefixes('8.8.1.0/24', '8.8.2.0/24', '8.8.3.0/24', '8.8.4.0/24'),
      /4 prefixes, expected 2 to 3/,
    ],
    ['has a prefix too wide', prefixes('8.0.0.0/8'), /wider than \/16/],
    ['contains all addresses', prefixes('0.0.0.0/0'), /wider than/],
    ['has a private prefix', prefixes('10.1.0.0/16'), /private, not public/],
    ['has a broken prefix', prefixes('8.8.8.8/40'), /not an address prefix/],
    ['is huge', 'x'.repeat(5_000_000), /larger than/],
  ])('a feed that %s keeps its last snapshot and does not stop the others', async (_, answer, problem) => {
    if (answer !== undefined) answers['/bad'] = answer;
    answers['/good'] = prefixes('8.8.8.0/24');
    const asItWas = {
      ...{ feed: 'bad', operator: 'Example', urls: feed('bad').urls, published: null },
      ...{ retrieved: '2026-01-01', prefixes: ['8.8.8.0/24', '8.8.9.0/24'] },
    };
    await writeFile(`${folder}/2026-01-01-bad.json`, JSON.stringify(asItWas));
    const [bad, good] = await refresh(feed('bad', { min_prefixes: 2 }), feed('good'));
    expect(bad).toMatchObject({ feed: 'bad', entries: null, problem: expect.stringMatching(problem) });
    expect(good).toMatchObject({ feed: 'good', entries: 1, problem: null });
    expect((await readdir(folder)).sort()).toEqual(['2026-01-01-bad.json', '2026-11-21-good.json']);
  });
});
