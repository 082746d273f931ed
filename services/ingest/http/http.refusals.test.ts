import { once } from 'node:events';
import { request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import { connect } from 'node:net';
import { gzipSync } from 'node:zlib';
import { describe, expect, it, vi } from 'vitest';
import { LogUnavailableError } from '../../../shared/event-log/event-log.js';
import {
  KEY,
  openUpload,
  post,
  record,
  records,
  start,
  targetsOf,
  withKey,
} from '../../../test/harness/ingest/http.js';
import { singleSegment, storeZstd, zstdBomb } from '../../../test/harness/ingest/zstd.js';

describe('the key', () => {
  const basic = (pair: string) => `Basic ${Buffer.from(pair).toString('base64')}`;
  it.each([
    ['X-API-Key', { 'x-api-key': KEY }, ''],
    ['Firehose', { 'x-amz-firehose-access-key': KEY }, ''],
    ['Bearer', { authorization: `Bearer ${KEY}` }, ''],
    ['Basic password', { authorization: basic(`any:${KEY}`) }, ''],
    ['?key=', {}, `?key=${KEY}`],
    ['?api_key=', {}, `?api_key=${KEY}`],
    [
      'X-API-Key before all others',
      { 'x-api-key': KEY, 'x-amz-firehose-access-key': 'x', authorization: 'Bearer x' },
      '?key=x',
    ],
    ['Firehose before Authorization', { 'x-amz-firehose-access-key': KEY, authorization: 'Bearer x' }, ''],
    ['Authorization before the query', { authorization: `Bearer ${KEY}` }, '?key=x'],
    ['?key= before ?api_key=', {}, `?api_key=x&key=${KEY}`],
  ])('is taken from %s, and never logged', async (_, headers: Record<string, string>, query) => {
    const { url, logged } = await start();
    expect((await post(url + query, `${record('/')}\nbad`, headers)).status).toBe(200);
    expect(logged.length).toBeGreaterThan(0);
    expect(logged.join()).not.toContain(KEY);
  });

  it.each([
    ['missing', {}, /missing.*X-API-Key/],
    ['wrong', { 'x-api-key': 'll_wrong' }, /not valid/],
    ['an API key', { authorization: 'Bearer llapi_wrong' }, /API keys cannot send logs.*ingest key.*ll_/],
    [
      'wrong in the place that counts',
      { 'x-api-key': 'll_wrong', authorization: `Bearer ${KEY}` },
      /not valid/,
    ],
  ])('that is %s gives 401', async (_, headers: Record<string, string>, detail) => {
    const { url, logged } = await start();
    const { status, json } = await post(url, record('/'), headers);
    expect(status).toBe(401);
    expect(json.detail).toMatch(detail);
    expect(logged.join()).not.toMatch(/ll(api)?_wrong/);
  });

  it('is checked before anything is inflated or read: corrupt, binary and too large bodies are 401 too', async () => {
    const { url } = await start();
    for (const body of [
      Buffer.from([0x1f, 0x8b, 1, 2]),
      Buffer.from([0x81, 0xa1]),
      Buffer.alloc(1_100_000),
    ]) {
      expect((await post(url, body, { 'content-encoding': 'gzip' })).status).toBe(401);
    }
  });

  it('is checked before a sender with Expect sends any of the body', async () => {
    const { service } = await start();
    const socket = connect(service.port, '127.0.0.1');
    socket.write(
      'POST /v1/logs HTTP/1.1\r\nhost: x\r\nexpect: 100-continue\r\ncontent-length: 900000\r\n\r\n',
    );
    const [bytes] = (await once(socket, 'data')) as [Buffer];
    expect(bytes.toString()).toMatch(/^HTTP\/1\.1 401 /);
    socket.destroy();
  });
});

describe('a refusal', () => {
  it('is 413 for a Content-Length, a body or an inflated body above its limit', async () => {
    const { url, memory } = await start();
    expect((await post(url, Buffer.alloc(1_000_001, 'x'))).status).toBe(413);
    const streamed = await fetch(url, {
      method: 'POST',
      headers: { 'x-api-key': KEY },
      body: new ReadableStream({
        pull(controller) {
          controller.enqueue(Buffer.alloc(300_000, 0x20));
        },
      }),
      duplex: 'half',
    } as RequestInit);
    expect(streamed.status).toBe(413);
    for (const bomb of [gzipSync(Buffer.alloc(2_000_001, 0x20)), zstdBomb(100_000, 0x20)]) {
      const { status, json } = await post(url, bomb);
      expect(status).toBe(413);
      expect(json.detail).toMatch(/2000000 bytes after decompression/);
    }
    expect(memory.records('requests.raw')).toEqual([]);
  });

  it('reaches a sender that is still sending', async () => {
    const { service } = await start();
    const request = httpRequest({ port: service.port, path: '/v1/logs', method: 'POST', host: '127.0.0.1' });
    request.on('error', () => {});
    const answered = once(request, 'response') as Promise<
      [{ statusCode: number; headers: IncomingHttpHeaders }]
    >;
    const sending = setInterval(() => request.write(Buffer.alloc(65_536)), 5);
    const [answer] = await answered;
    clearInterval(sending);
    expect(answer.statusCode).toBe(401);
    expect(answer.headers.connection).toBe('close');
    request.destroy();
  });

  it.each(['lz4', 'snappy', 'br', 'gzip, gzip'])(
    'is 415 for Content-Encoding %s, with those that work',
    async (encoding) => {
      const { url } = await start();
      const { status, json, headers } = await post(url, 'x', withKey({ 'content-encoding': encoding }));
      expect(status).toBe(415);
      expect(json.detail).toMatch(/supported: gzip, deflate, zstd, identity/);
      expect(headers.get('accept-encoding')).toBe('gzip, deflate, zstd, identity');
    },
  );

  it.each([
    ['msgpack by its type', Buffer.from([0x81]), { 'content-type': 'application/msgpack' }, /msgpack/],
    ['msgpack by its bytes', Buffer.from([0x92, 0xcf, 0, 1]), {}, /MessagePack/],
    ['a bzip2 file', Buffer.from('BZh91AY&SY'), {}, /is bzip2.*gzip, zstd/],
    ['an xz file', Buffer.from('fd377a585a000004', 'hex'), {}, /is xz/],
    ['a ZIP archive', Buffer.from('504b030414000000', 'hex'), {}, /is a ZIP archive/],
    ['a 7z archive', Buffer.from('377abcaf271c0004', 'hex'), {}, /is a 7z archive/],
    ['a file in UTF-16', Buffer.from('\ufeff198.51.100.7 - -', 'utf16le'), {}, /UTF-16/],
    ['a compressed file in UTF-16', gzipSync(Buffer.from('\ufeff198.51', 'utf16le')), {}, /UTF-16/],
    ['CSV with a header', 'ClientIP,EdgeStartTimestamp,RayID\n', {}, /output_type to ndjson/],
    ['CSV without one', '"198.51.100.7",1771056930000000000,"9b1c"\n', {}, /output_type to ndjson/],
  ])('is 415 for %s', async (_, body, headers: Record<string, string>, detail) => {
    const { url } = await start();
    const { status, json } = await post(url, body, withKey(headers));
    expect(status).toBe(415);
    expect(json.detail).toMatch(detail);
  });

  it('is 400 for compression that is damaged from the start', async () => {
    const { url } = await start();
    for (const encoding of ['gzip', 'deflate', 'zstd']) {
      const { status, json } = await post(url, 'plain text', withKey({ 'content-encoding': encoding }));
      expect(status).toBe(400);
      expect(json).toMatchObject({ accepted: 0, detail: expect.stringMatching(/decompressed/) });
    }
  });

  it('is 400 for zstd whose header needs a window over 8 MiB', async () => {
    const { url, memory } = await start();
    for (const body of [storeZstd(Buffer.from(record('/a')), 255), singleSegment(2n ** 40n)]) {
      const { status, json } = await post(url, body, withKey({ 'content-encoding': 'zstd' }));
      expect(status).toBe(400);
      expect(json.detail).toMatch(/window is \d+ bytes; at most 8388608/);
    }
    expect(memory.records('requests.raw')).toEqual([]);
  });

  it('of an upload that breaks midway reports how much of it is in the log', async () => {
    const { url, memory } = await start();
    const whole = gzipSync(records(9_000), { level: 0 });
    whole[Math.floor(whole.length * 0.9)]! ^= 1;
    const { status, json } = await post(url, whole);
    expect(status).toBe(400);
    expect(json.accepted).toBeGreaterThan(0);
    expect(json.accepted).toBe(targetsOf(memory).length);
  });

  it('is 405 with Allow for other methods, and 404 elsewhere', async () => {
    const { url } = await start();
    for (const method of ['DELETE', 'PATCH', 'OPTIONS']) {
      const answer = await fetch(url, { method });
      expect(answer.status).toBe(405);
      expect(answer.headers.get('allow')).toBe('POST, PUT, GET, HEAD');
      expect(await answer.json()).toHaveProperty('detail');
    }
    expect((await fetch(url.replace('/v1/logs', '/v2/logs'), { method: 'POST' })).status).toBe(404);
  });

  it('is 503 with Retry-After while not ready', async () => {
    const { url } = await start({ notReady: () => 'it starts' });
    const { status, headers } = await post(url, record('/'));
    expect(status).toBe(503);
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
    const probe = await fetch(url.replace('/v1/logs', '/readyz'));
    expect([probe.status, await probe.json()]).toEqual([503, { status: 'not ready', reason: 'it starts' }]);
    expect((await fetch(url.replace('/v1/logs', '/healthz'))).status).toBe(200);
  });

  it('is 503 with Retry-After if the log does not take the block, and counts nothing as accepted', async () => {
    const { url } = await start({
      wrap: (log) => ({ ...log, append: () => Promise.reject(new LogUnavailableError('disk full')) }),
    });
    const { status, json, headers } = await post(url, record('/'));
    expect(status).toBe(503);
    expect(json).toMatchObject({ accepted: 0 });
    expect(JSON.stringify(json)).not.toContain('disk full');
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
  });

  it('is 503 without its cause for unexpected errors, because some senders drop a batch on 500', async () => {
    const { url, logged } = await start({
      wrap: (log) => ({ ...log, append: () => Promise.reject(new Error('secret cause')) }),
    });
    const { status, json } = await post(url, record('/'));
    expect(status).toBe(503);
    expect(json).toMatchObject({ reason: 'failed' });
    expect(JSON.stringify(json)).not.toContain('secret cause');
    expect(logged.join()).toContain('secret cause');
  });

  it('is 503 with Retry-After above the limit of uploads in flight, and only then', async () => {
    const { url, service, registry } = await start();
    const open = () => {
      const request = openUpload({ service });
      request.write(`${record('/slow')}\n`);
      return { request, answer: once(request, 'response') as Promise<[{ statusCode: number }]> };
    };
    const slow = [open(), open()];
    await vi.waitFor(async () => expect(await registry.metrics()).toContain('uploads_in_flight 2'));
    const refused = await post(url, record('/third'));
    expect(refused.status).toBe(503);
    expect(refused.headers.get('retry-after')).toBe('1');
    for (const { request } of slow) request.end();
    for (const { answer } of slow) expect((await answer)[0].statusCode).toBe(200);
    expect((await post(url, record('/fourth'))).status).toBe(200);
  });
});
