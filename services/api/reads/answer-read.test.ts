import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { z } from '@hono/zod-openapi';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { ClickHouseReader, Query } from '../../../shared/store/client.js';
import { createTestApi, type TestApi, uncounted } from '../../../test/harness/api.js';
import { createDataVersions, type RaisedVersions } from '../answer-cache/data-versions.js';
import { websiteRead } from '../operation/operation.js';
import { countriesParameter, windowParameters } from '../operation/parameters.js';

/** Reusable reads, on a store that counts its statements. */

let statements: Query<unknown>[];
let answerOf: () => Promise<unknown[]>;
let versions: RaisedVersions;
let test: TestApi;
let buffering: boolean;
let answerPages: number;
let pathLength: number;
let storedThrough: number | null;

const query = { name: 'q', sql: 'SELECT', params: {}, row: z.unknown() };
const text = { tag: 'Test', summary: 's', description: 'd' };

const counted = websiteRead({
  ...text,
  id: 'counted',
  path: '/counted/{name}',
  pathParameters: z.object({ name: z.string() }),
  query: z.object({ ...windowParameters(), countries: countriesParameter, order: z.string().optional() }),
  answer: z.object({
    website: z.string(),
    name: z.string(),
    rows: z.array(z.object({ path: z.string() })),
    data_buffering: z.boolean(),
  }),
  reuse({ hours, order }, { now }) {
    return order === 'random'
      ? null
      : { on: [Math.floor(now / 3_600_000) - Number(hours)], until: now + 10_000 };
  },
  async run({ name }, { website, services }) {
    await services.reader.read(query);
    const rows = Array.from({ length: answerPages }, (_, index) => ({
      path: `/page/${index}`.padEnd(pathLength, 'a'),
    }));
    return { website: website.id, name: name as string, rows, data_buffering: buffering };
  },
});

beforeEach(async () => {
  statements = [];
  answerOf = async () => [];
  buffering = false;
  answerPages = 100;
  pathLength = 0;
  storedThrough = null;
  versions = createDataVersions();
  const reader: ClickHouseReader = {
    read(asked) {
      statements.push(asked as Query<unknown>);
      return answerOf() as never;
    },
  };
  test = await createTestApi({
    reader,
    operations: [counted],
    dataVersions: versions,
    pendingUploads: { storedThrough: async () => storedThrough },
    usage: uncounted,
  });
});

const get = (path = '/counted/a', headers: Record<string, string> = {}) => test.read(path, { headers });

it('reports accepted lines that are not stored yet, also in a cached answer', async () => {
  const pending = async () => (await get()).body._pending_upload;
  expect(await pending()).toBeUndefined();
  storedThrough = Date.parse('2026-11-21T12:00:03.250Z');
  const note = expect.stringContaining('Repeat the call');
  const said = { stored_through: '2026-11-21T12:00:03.250Z', note };
  expect(await pending()).toEqual(said);
  expect(await pending()).toEqual(said);
  storedThrough = null;
  expect(await pending()).toBeUndefined();
});

it('a cached answer names the ignored parameters of each call', async () => {
  const named = async (path: string) => (await get(path)).body._ignored_parameters;
  expect(await named('/counted/a')).toBeUndefined();
  expect(await named('/counted/a?contry=DE')).toEqual(['contry']);
  expect(await named('/counted/a')).toBeUndefined();
  expect(statements).toHaveLength(2);
});

it('shows uncut texts of twenty entries on request, and cuts them otherwise', async () => {
  pathLength = 5_000;
  const rowsOf = async (query: string) => (await get(`/counted/a${query}`)).body;
  const cut = await rowsOf('');
  expect(cut.rows).toHaveLength(100);
  expect(cut.rows[0].path).toMatch(/…$/);
  const whole = await rowsOf('?full_texts=true');
  expect(whole.rows.map(({ path }: { path: string }) => path.length)).toEqual(Array(20).fill(5_000));
  expect(whole._truncated).toMatchObject({ max_rows: 20, original_counts: { rows: 100 } });
  expect((await rowsOf('?full_texts=true&max_rows=1')).rows).toHaveLength(1);
});

describe('an equal call', () => {
  it('makes no statement while the data is unchanged, with any key of the organisation', async () => {
    const first = await get();
    const again = await test.read('/counted/a?hours=24', { key: test.keys.read });
    expect(again.text).toBe(first.text);
    expect(statements).toHaveLength(1);
    versions.raise([{ websiteId: test.website.id }]);
    await get();
    expect(statements).toHaveLength(2);
  });

  it.each(['/counted/b', '/counted/a?hours=23', '/counted/a?countries=DE', '/counted/a?max_rows=5'])(
    'is not %s',
    async (other) => {
      await get();
      await get(other);
      expect(statements).toHaveLength(2);
    },
  );

  it('is not one of another organisation, which gets its own answer', async () => {
    const own = await get();
    const path = `/public/v1/websites/${test.foreignWebsite.id}/counted/a`;
    const foreign = await test.request(path, { key: test.keys.foreign });
    expect([own.body.website, foreign.body.website]).toEqual([test.website.id, test.foreignWebsite.id]);
    expect(statements).toHaveLength(2);
    const refused = await test.request(path);
    expect(refused.status).toBe(404);
    expect(refused.text).not.toContain(test.foreignWebsite.id);
  });

  it('is not one with a moved window', async () => {
    await get();
    test.advance(3_600_000);
    await get();
    expect(statements).toHaveLength(2);
  });

  it('is not one that the operation excludes, although its text has a validator', async () => {
    const first = await get('/counted/a?order=random');
    const headers = { 'If-None-Match': first.headers.get('ETag')! };
    expect((await get('/counted/a?order=random', headers)).status).toBe(304);
    expect(statements).toHaveLength(2);
    expect(first.headers.get('Cache-Control')).toBe('private, no-cache');
    answerPages = 99;
    expect((await get('/counted/a?order=random', headers)).status).toBe(200);
  });

  it('is counted in the metrics by its origin', async () => {
    await get();
    await get();
    const metrics = await test.options.registry.metrics();
    expect(metrics).toContain('loglane_api_reusable_answers_total{origin="run"} 1');
    expect(metrics).toContain('loglane_api_reusable_answers_total{origin="kept"} 1');
  });
});

describe('a validator', () => {
  it('answers 304 without a statement while the answer is valid, with the rate headers', async () => {
    const first = await get();
    expect(first.headers.get('Cache-Control')).toBe('private, no-cache');
    const tag = first.headers.get('ETag')!;
    const again = await get('/counted/a', { 'If-None-Match': tag });
    expect([again.status, again.text, again.headers.get('ETag')]).toEqual([304, '', tag]);
    expect(again.headers.get('Cache-Control')).toBe('private, no-cache');
    expect(again.headers.get('X-RateLimit-Limit')).not.toBeNull();
    expect(statements).toHaveLength(1);
  });

  it('answers 304 if a new run has the same answer, otherwise the new answer', async () => {
    const tag = (await get()).headers.get('ETag')!;
    versions.raise([{ websiteId: null }]);
    expect((await get('/counted/a', { 'If-None-Match': tag })).status).toBe(304);
    expect(statements).toHaveLength(2);
    expect((await get('/counted/b', { 'If-None-Match': tag })).status).toBe(200);
  });

  it('is answered 304 only after the checks of key and website', async () => {
    const headers = { 'If-None-Match': '*' };
    await get();
    expect((await test.read('/counted/a', { key: null, headers })).status).toBe(401);
    expect((await test.read('/counted/a', { key: test.keys.foreign, headers })).status).toBe(404);
    expect((await test.read('/counted/a?max_rows=0', { headers })).status).toBe(400);
  });
});

describe('an answer with data_buffering', () => {
  it('is not cached, has no validator, and has Retry-After', async () => {
    buffering = true;
    const first = await get();
    expect(first.headers.get('ETag')).toBeNull();
    expect(first.headers.get('Cache-Control')).toBe('no-store');
    expect(Number(first.headers.get('Retry-After'))).toBeGreaterThan(0);
    buffering = false;
    const done = await get();
    expect(done.body.data_buffering).toBe(false);
    expect(done.headers.get('Retry-After')).toBeNull();
  });
});

describe('compression', () => {
  async function bytesOf(accepted: string) {
    const response = await test.api.request(`/public/v1/websites/${test.website.id}/counted/a`, {
      headers: { Authorization: `Bearer ${test.keys.read}`, 'Accept-Encoding': accepted },
    });
    return { headers: response.headers, bytes: Buffer.from(await response.arrayBuffer()) };
  }

  it('has a form for each requested encoding, each with its own validator, from one run', async () => {
    const plain = await bytesOf('identity');
    const gzip = await bytesOf('gzip');
    const br = await bytesOf('gzip, br');
    expect([plain, gzip, br].map(({ headers }) => headers.get('Content-Encoding'))).toEqual([
      null,
      'gzip',
      'br',
    ]);
    expect(gunzipSync(gzip.bytes).equals(plain.bytes)).toBe(true);
    expect(brotliDecompressSync(br.bytes).equals(plain.bytes)).toBe(true);
    expect(gzip.bytes.length).toBeLessThan(plain.bytes.length / 3);
    const tags = [plain, gzip, br].map(({ headers }) => headers.get('ETag'));
    expect(new Set(tags).size).toBe(3);
    for (const { headers } of [plain, gzip, br]) expect(headers.get('Vary')).toBe('Accept-Encoding');
    expect(statements).toHaveLength(1);
    const again = await get('/counted/a', { 'Accept-Encoding': 'gzip', 'If-None-Match': tags[1]! });
    expect(again.status).toBe(304);
  });
});

describe('a caller that disconnects', () => {
  const leave = (caller: AbortController) =>
    test.api.request(`/public/v1/websites/${test.website.id}/counted/a`, {
      headers: { Authorization: `Bearer ${test.keys.read}` },
      signal: caller.signal,
    });

  it('ends the statement if no other caller waits for it, and is no internal error', async () => {
    let end: (rows: unknown[]) => void = () => {};
    answerOf = () => new Promise((resolve) => (end = resolve));
    const caller = new AbortController();
    const answer = leave(caller);
    await vi.waitFor(() => expect(statements).toHaveLength(1));
    expect(statements[0]!.signal!.aborted).toBe(false);
    caller.abort();
    expect((await answer).status).toBe(408);
    expect(statements[0]!.signal!.aborted).toBe(true);
    expect(test.logged()).not.toContain('request failed');
    end([]);
  });

  it('leaves it running for the others', async () => {
    let end: (rows: unknown[]) => void = () => {};
    answerOf = () => new Promise((resolve) => (end = resolve));
    const caller = new AbortController();
    const gone = leave(caller);
    await vi.waitFor(() => expect(statements).toHaveLength(1));
    const stays = get();
    await new Promise((turn) => setTimeout(turn, 20));
    caller.abort();
    await gone;
    expect(statements[0]!.signal!.aborted).toBe(false);
    end([]);
    expect((await stays).status).toBe(200);
    expect(statements).toHaveLength(1);
  });
});
