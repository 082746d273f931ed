import { createHash } from 'node:crypto';
import type { RequestListener } from 'node:http';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { startLocalServer } from '../../test/harness/local-server.js';
import { createFetcher } from '../fetch/fetcher.js';
import { MAX_ROBOTS_BYTES } from '../robots/parse-robots.js';
import type { InsertOptions } from '../store/client.js';
import { refreshRobots } from './refresh-robots.js';

const NOW = Date.UTC(2026, 10, 3, 12);
const hashOf = (text: string) => createHash('sha256').update(text).digest('hex');

/** Fetches from a local server that acts as the website, and returns the stored rows. */
async function refresh(
  listener: RequestListener,
  { overHttps = true, signal = new AbortController().signal, httpsPort = 1 } = {},
) {
  const { port, connections } = await startLocalServer(listener);
  const nobody = { resolve4: async () => [], resolve6: async () => [] };
  const origins = new Map([[`http${overHttps ? 's' : ''}://shop.example`, port]]);
  if (!overHttps) origins.set('https://shop.example', httpsPort);
  const fetch = createFetcher({ userAgent: 'x', resolver: nobody, loopback: { origins } });
  const inserts: InsertOptions[] = [];
  const clickhouse = {
    insert: async (options: InsertOptions) => void inserts.push(options),
    command: () => Promise.reject(new Error('none is sent')),
  };
  const website = { id: 'shop', domain: 'shop.example' };
  const stored = await refreshRobots({ fetch, clickhouse, now: () => NOW, signal }, website);
  const rows = (table: string) =>
    inserts.filter((one) => one.table === table).map(({ rows: text }) => JSON.parse(text.toString()));
  return { stored, inserts, versions: rows('robots_versions'), fetches: rows('robots_fetches'), connections };
}

const answer =
  (status: number, body: string | Buffer = '', headers = {}): RequestListener =>
  (_, response) =>
    void response.writeHead(status, headers).end(body);

describe('a robots.txt', () => {
  test('is stored by its hash before its fetch, with tokens that a repeat shares', async () => {
    const text = '\uFEFFUser-agent: *\nDisallow: /größe\n';
    const { stored, inserts, versions, fetches } = await refresh((request, response) => {
      if (request.url !== '/robots.txt') return void response.writeHead(500).end();
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(text));
    });
    expect(stored).toEqual({
      fetchedAt: NOW,
      outcome: 'found',
      hash: hashOf(text),
      httpStatus: 200,
      finalUrl: 'https://shop.example/robots.txt',
      problem: '',
    });
    expect(versions).toEqual([
      {
        website_id: 'shop',
        hash: hashOf(text),
        content: text,
        is_truncated: false,
        stored_at: '2026-11-03 12:00:00.000',
      },
    ]);
    expect(fetches).toMatchObject([
      { website_id: 'shop', fetched_at: '2026-11-03 12:00:00.000', outcome: 'found' },
    ]);
    expect(inserts.map(({ table, deduplicationToken }) => [table, deduplicationToken])).toEqual([
      ['robots_versions', `robots_versions/shop/${NOW}`],
      ['robots_fetches', `robots_fetches/shop/${NOW}`],
    ]);
  });

  test('is read through five redirects, and counts as missing after six', async () => {
    const hops =
      (count: number): RequestListener =>
      (request, response) => {
        const hop = Number(request.url!.slice(2)) || 0;
        if (hop === count) return void response.end('user-agent: *');
        response.writeHead(301, { location: `/r${hop + 1}` }).end();
      };
    expect((await refresh(hops(5))).stored).toMatchObject({
      outcome: 'found',
      finalUrl: 'https://shop.example/r5',
    });
    const { stored, versions } = await refresh(hops(6));
    expect(stored).toMatchObject({ outcome: 'missing', hash: '', httpStatus: 0 });
    expect(versions).toEqual([]);
  });

  test.each([
    [404, 'missing', ''],
    [410, 'missing', ''],
    [401, 'blocked', 'The website answered with status 401.'],
    [403, 'blocked', 'The website answered with status 403.'],
    [429, 'blocked', 'The website answered with status 429.'],
    [500, 'server_error', 'The website answered with status 500.'],
    [503, 'server_error', 'The website answered with status 503.'],
  ])('answered with %i is %s', async (status, outcome, problem) => {
    const { stored, versions } = await refresh(answer(status, 'Disallow: /'));
    expect(stored).toMatchObject({ outcome, httpStatus: status, hash: '', problem });
    expect(versions).toEqual([]);
  });

  test('is requested over http if https does not answer', async () => {
    const { stored } = await refresh(answer(200, 'x'), { overHttps: false });
    expect(stored).toMatchObject({ outcome: 'found', finalUrl: 'http://shop.example/robots.txt' });
  });

  test('is requested over http if the https port aborts every response', async () => {
    const { port: httpsPort } = await startLocalServer((_, response) => void response.destroy());
    const { stored } = await refresh(answer(200, 'x'), { overHttps: false, httpsPort });
    expect(stored).toMatchObject({ outcome: 'found', finalUrl: 'http://shop.example/robots.txt' });
  });

  test.each([
    [404, 'missing'],
    [503, 'server_error'],
  ])('answered with %i is %s, with any body', async (status, outcome) => {
    const listener = answer(status, 'no gzip at all', { 'content-encoding': 'gzip' });
    expect((await refresh(listener)).stored).toMatchObject({ outcome, httpStatus: status });
  });

  test('whose response is aborted is unreachable, with a reason that names the website', async () => {
    const { stored, versions } = await refresh((_, response) => void response.destroy());
    expect(stored).toMatchObject({ outcome: 'unreachable', httpStatus: 0, hash: '' });
    expect(stored.problem).toContain('shop.example');
    expect(versions).toEqual([]);
  });

  test('is stored up to 500 KiB, without the line that was cut', async () => {
    const line = `Disallow: /${'x'.repeat(100)}\n`;
    const { versions } = await refresh(answer(200, `user-agent: *\n${line.repeat(10_000)}`));
    const [{ content, is_truncated }] = versions;
    expect(is_truncated).toBe(true);
    expect(content.length).toBeLessThanOrEqual(MAX_ROBOTS_BYTES);
    expect(content.length).toBeGreaterThan(MAX_ROBOTS_BYTES - line.length);
    expect(content.endsWith(line)).toBe(true);
    const whole = 'x'.repeat(MAX_ROBOTS_BYTES);
    expect((await refresh(answer(200, whole))).versions).toMatchObject([
      { content: whole, is_truncated: false },
    ]);
  });

  test('is not stored by a run that was stopped', async () => {
    const controller = new AbortController();
    const running = refresh((_, response) => {
      controller.abort(new Error('enough'));
      response.end();
    }, controller);
    await expect(running).rejects.toThrow('enough');
  });
});
