import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, brotliDecompressSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestApi, type TestApi } from '../../../test/harness/api.js';
import { readConsole } from './read-console.js';

const folder = mkdtempSync(join(tmpdir(), 'loglane-console-'));
const script = `console.log(${JSON.stringify('x'.repeat(3_000))});`;
const PAGE = '<!doctype html><head><base href="/"><script src="./assets/index-1a2b3c4d.js"></script></head>';
const HTML = { Accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };
let test: TestApi;

beforeAll(async () => {
  mkdirSync(join(folder, 'assets'));
  const write = (name: string, content: string | Buffer) => writeFileSync(join(folder, name), content);
  write('index.html', PAGE);
  write('icon.svg', '<svg xmlns="http://www.w3.org/2000/svg"/>');
  write('assets/index-1a2b3c4d.js', script);
  write('assets/index-1a2b3c4d.js.br', brotliCompressSync(script));
  write('assets/index-1a2b3c4d.js.gz', gzipSync(script));
  test = await createTestApi({ console: readConsole(folder, 'https://logs.example')! });
});
afterAll(() => rmSync(folder, { recursive: true }));

const get = (path: string, headers: Record<string, string> = {}) =>
  test.request(path, { key: null, headers });

describe('the page', () => {
  it.each(['/', '/ai', '/pages/a/b.html?site=web_1', '/sign-in'])('is at %s, for anyone', async (path) => {
    const { status, headers, text } = await get(path, HTML);
    expect([status, text]).toEqual([200, PAGE]);
    expect(headers.get('Content-Type')).toBe('text/html; charset=utf-8');
    expect(headers.get('Cache-Control')).toBe('public, no-cache');
    expect((await get(path, { ...HTML, 'If-None-Match': headers.get('ETag')! })).status).toBe(304);
  });

  it('allows nothing but files of this host', async () => {
    for (const path of ['/', '/ai', '/icon.svg', '/assets/index-1a2b3c4d.js']) {
      const { headers } = await get(path, HTML);
      expect(headers.get('Content-Security-Policy')).toBe(
        "default-src 'self'; base-uri 'self'; form-action 'self'; frame-ancestors 'none'",
      );
      expect(headers.get('X-Content-Type-Options')).toBe('nosniff');
      expect(headers.get('Referrer-Policy')).toBe('no-referrer');
    }
  });

  it.each([
    ['/ai', {}],
    ['/ai', { Accept: 'application/json' }],
    ['/public/v1/none', HTML],
    ['/public/v1/docs/none', HTML],
    ['/assets/gone-12345678.js', HTML],
    ['/index.html.br', {}],
  ])('is not at %s with %o, which stays a 404', async (path, headers) => {
    const { status, body, headers: answered } = await get(path, headers);
    expect(status).toBe(404);
    expect(body.detail).toContain('Unknown path');
    expect(answered.get('Cache-Control')).toBe('no-store');
  });

  it('takes GET alone', async () => {
    expect((await test.request('/ai', { method: 'POST', headers: HTML })).status).toBe(404);
    expect((await test.request('/', { method: 'POST', headers: HTML })).status).toBe(405);
  });

  it('begins its links at the path of the public address', async () => {
    const { page } = readConsole(folder, 'https://tools.example/log"s&co/')!;
    expect(page.plain.toString()).toContain('<base href="/log%22s&amp;co/">');
  });
});

describe('a file', () => {
  const asset = '/assets/index-1a2b3c4d.js';

  it('is kept for a year where its name changes with its content', async () => {
    expect((await get(asset)).headers.get('Cache-Control')).toBe('public, max-age=31536000, immutable');
    expect((await get('/icon.svg')).headers.get('Cache-Control')).toBe('public, no-cache');
  });

  it('goes out in the form that the build made', async () => {
    const response = await test.api.request(asset, { headers: { 'Accept-Encoding': 'gzip, br' } });
    expect(response.headers.get('Content-Encoding')).toBe('br');
    expect(response.headers.get('Vary')).toBe('Accept-Encoding');
    const sent = Buffer.from(await response.arrayBuffer());
    expect(sent.equals(brotliCompressSync(script))).toBe(true);
    expect(brotliDecompressSync(sent).toString()).toBe(script);
    const plain = await get(asset);
    expect([plain.text, plain.headers.get('Content-Type')]).toEqual([
      script,
      'text/javascript; charset=utf-8',
    ]);
  });
});

describe('without a built console', () => {
  it('the API shows its document', async () => {
    expect(readConsole(join(folder, 'none'), 'https://logs.example')).toBeNull();
    // The sources are no built console.
    expect(readConsole('services/api/console', 'https://logs.example')).toBeNull();
    const { request } = await createTestApi({});
    expect((await request('/', { key: null, headers: HTML })).headers.get('Location')).toBe(
      './public/v1/docs',
    );
    expect((await request('/ai', { key: null, headers: HTML })).status).toBe(404);
  });
});

it('refuses a folder that no build made', () => {
  const strange = mkdtempSync(join(tmpdir(), 'loglane-console-'));
  mkdirSync(join(strange, 'assets'));
  writeFileSync(join(strange, 'index.html'), PAGE);
  writeFileSync(join(strange, 'assets', 'large.js'), Buffer.alloc(17 * 1024 ** 2));
  expect(() => readConsole(strange, 'https://logs.example')).toThrow(/more than/);
  writeFileSync(join(strange, 'assets', 'large.js'), '');
  writeFileSync(join(strange, 'assets', 'a:b.js'), '');
  expect(() => readConsole(strange, 'https://logs.example')).toThrow(/no build makes/);
  rmSync(strange, { recursive: true });
});
