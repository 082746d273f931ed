import { once } from 'node:events';
import { request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import { connect } from 'node:net';
import { deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import pino from 'pino';
import { Registry } from 'prom-client';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { type EventLog, LogUnavailableError } from '../../shared/event-log/event-log.js';
import { decodeRawBlock } from '../../shared/requests/raw-block-codec.js';
import { createMemoryEventLog, type MemoryEventLog } from '../../test/harness/memory-event-log.js';
import type { IngestService } from './service.js';
import { startIngest } from './service.js';

const KEY = 'll_right';
const NOW = Date.parse('2026-03-01T00:00:00Z');

interface Setup {
  readonly url: string;
  readonly service: IngestService;
  readonly memory: MemoryEventLog;
  readonly logged: string[];
  readonly registry: Registry;
}

const services: IngestService[] = [];
afterEach(async () => {
  await Promise.all(services.splice(0).map((service) => service.stop()));
});

async function start(
  options: {
    config?: Partial<Parameters<typeof startIngest>[0]['config']>;
    ready?: () => boolean;
    wrap?: (log: EventLog) => EventLog;
  } = {},
): Promise<Setup> {
  const memory = createMemoryEventLog(4);
  const logged: string[] = [];
  const registry = new Registry();
  let uploads = 0;
  const service = await startIngest({
    log: options.wrap?.(memory) ?? memory,
    findIngestKey: (key) => (key === KEY ? { websiteId: 'w1', organisationId: 'o1' } : null),
    ready: options.ready ?? (() => true),
    config: {
      HOST: '127.0.0.1',
      INGEST_PORT: 0,
      SHUTDOWN_TIMEOUT_MS: 2_000,
      INGEST_MAX_BODY_BYTES: 1_000_000,
      INGEST_MAX_INFLATED_BYTES: 2_000_000,
      INGEST_MAX_LINE_BYTES: 10_000,
      INGEST_MAX_IN_FLIGHT: 2,
      ...options.config,
    },
    now: () => NOW,
    newUploadId: () => `upload-${++uploads}`,
    logger: pino({ level: 'trace' }, { write: (line: string) => void logged.push(line) }),
    metrics: registry,
  });
  services.push(service);
  return { url: `http://127.0.0.1:${service.port}/v1/logs`, service, memory, logged, registry };
}

const record = (path: string) =>
  JSON.stringify({
    timestamp: '2026-02-14T08:15:30Z',
    client_ip: '198.51.100.7',
    method: 'GET',
    path,
    status: 200,
  });
const records = (count: number) =>
  Array.from({ length: count }, (_, index) => record(`/${index}`)).join('\n');

async function post(
  url: string,
  body: string | Buffer,
  headers: Record<string, string> = { 'x-api-key': KEY },
): Promise<{ status: number; json: Record<string, unknown>; headers: Headers }> {
  const answer = await fetch(url, { method: 'POST', body: new Uint8Array(Buffer.from(body)), headers });
  return {
    status: answer.status,
    json: (await answer.json()) as Record<string, unknown>,
    headers: answer.headers,
  };
}

const withKey = (headers: Record<string, string>) => ({ 'x-api-key': KEY, ...headers });
const blocksOf = (memory: MemoryEventLog) =>
  memory.records('requests.raw').map(({ value }) => decodeRawBlock(value));
const targetsOf = (memory: MemoryEventLog) =>
  blocksOf(memory).flatMap(({ requests }) => requests.map(({ target }) => target));

describe('an upload', () => {
  it('answers 200 with its counts once the log has every block', async () => {
    const { url, memory } = await start();
    const body = `${record('/a')}\nnonsense\n${record('/b')}\n`;
    const { status, json } = await post(url, body);
    expect({ status, json }).toEqual({
      status: 200,
      json: {
        accepted: 2,
        rejected: 1,
        skipped: 0,
        source: 'loglane',
        upload_id: 'upload-1',
        errors: [{ line: 2, reason: 'not valid JSON' }],
      },
    });
    expect(blocksOf(memory)).toMatchObject([
      { website_id: 'w1', source: 'loglane', upload_id: 'upload-1', received_at: NOW },
    ]);
    expect(targetsOf(memory)).toEqual(['/a', '/b']);
  });

  it('is not answered before the log has its last block', async () => {
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const { url, memory } = await start({
      wrap: (log) => ({
        ...log,
        append: async (...given) => {
          await held;
          return log.append(...given);
        },
      }),
    });
    let answered = false;
    const answer = post(url, record('/held')).then((result) => {
      answered = true;
      return result;
    });
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(answered).toBe(false);
    release();
    expect((await answer).status).toBe(200);
    expect(targetsOf(memory)).toEqual(['/held']);
  });

  it('cuts a large body into blocks of at most 2,000 requests and spreads them over the partitions', async () => {
    const { url, memory } = await start();
    const { json } = await post(url, records(5_000));
    expect(json.accepted).toBe(5_000);
    expect(
      blocksOf(memory)
        .map(({ requests }) => requests.length)
        .sort(),
    ).toEqual([1_000, 2_000, 2_000].sort());
    for (let upload = 0; upload < 40; upload++) await post(url, record('/small'));
    expect(new Set(memory.records('requests.raw').map(({ partition }) => partition)).size).toBe(4);
    expect(memory.records('requests.raw').every(({ key }) => key.startsWith('w1/'))).toBe(true);
  });

  it('of nothing is 200 with zeros, and leaves the log alone', async () => {
    const { url, memory } = await start();
    for (const body of ['', '\n \n', '[]', gzipSync('')]) {
      const { status, json } = await post(url, body);
      expect({ status, ...json }).toMatchObject({ status: 200, accepted: 0, rejected: 0, source: null });
    }
    expect(memory.records('requests.raw')).toEqual([]);
  });

  it('of bad lines only is 200, and names the first ten', async () => {
    const { url } = await start();
    const { status, json } = await post(url, 'what\n'.repeat(25));
    expect(status).toBe(200);
    expect(json).toMatchObject({ accepted: 0, rejected: 25 });
    expect(json.errors).toHaveLength(10);
  });

  it.each([
    ['gzip', gzipSync(record('/z')), { 'content-encoding': 'gzip' }],
    ['gzip without its header', gzipSync(record('/z')), {}],
    ['several gzip members', Buffer.concat([gzipSync('\n'), gzipSync(record('/z'))]), {}],
    ['deflate in zlib framing', deflateSync(record('/z')), { 'content-encoding': 'deflate' }],
    ['raw deflate', deflateRawSync(record('/z')), { 'content-encoding': 'deflate' }],
    ['identity', Buffer.from(record('/z')), { 'content-encoding': 'identity' }],
    ['a wrong content type', Buffer.from(record('/z')), { 'content-type': 'text/csv' }],
  ])('is taken as %s', async (_, body, headers) => {
    const { url, memory } = await start();
    const { status, json } = await post(url, body, withKey(headers));
    expect({ status, accepted: json.accepted }).toEqual({ status: 200, accepted: 1 });
    expect(targetsOf(memory)).toEqual(['/z']);
  });

  it('rejects a line that is too long, and keeps the others', async () => {
    const { url } = await start();
    const { json } = await post(
      url,
      [record('/a'), record(`/${'x'.repeat(10_000)}`), record('/c')].join('\n'),
    );
    expect(json).toMatchObject({
      accepted: 2,
      rejected: 1,
      errors: [{ line: 2, reason: 'longer than 10000 bytes' }],
    });
  });

  it('is read as the source that ?source= names', async () => {
    const { url } = await start();
    const line = '198.51.100.7 - - [14/Feb/2026:08:15:30 +0000] "GET / HTTP/1.1" 200 10';
    expect((await post(`${url}?source=combined`, line)).json).toMatchObject({
      accepted: 1,
      source: 'combined',
    });
    expect((await post(`${url}?source=cloudflare`, line)).json).toMatchObject({
      accepted: 0,
      rejected: 1,
      source: 'cloudflare',
    });
    const unknown = await post(`${url}?source=iis`, line);
    expect(unknown.status).toBe(400);
    expect(unknown.json.detail).toMatch(/source: .*"iis".*cloudflare, loglane, combined/);
  });

  it('by which Logpush tries a destination is 200 with the right key and 401 with a wrong one', async () => {
    const { url, memory } = await start();
    for (const body of [gzipSync('{"content":"tests"}'), '{"content":"tests"}', 'test']) {
      expect((await post(url, body)).json).toMatchObject({ accepted: 0, rejected: 0 });
      expect((await post(url, body, { 'x-api-key': 'll_wrong' })).status).toBe(401);
    }
    expect(memory.records('requests.raw')).toEqual([]);
  });
});

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
    expect(logged.join()).not.toContain('ll_wrong');
  });

  it('is judged before anything is inflated or read: a corrupt, a binary and a too large body are 401 too', async () => {
    const { url } = await start();
    for (const body of [
      Buffer.from([0x1f, 0x8b, 1, 2]),
      Buffer.from([0x81, 0xa1]),
      Buffer.alloc(1_100_000),
    ]) {
      expect((await post(url, body, { 'content-encoding': 'gzip' })).status).toBe(401);
    }
  });

  it('is judged before a sender that asks first sends any of the body', async () => {
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
  it('is 413 for a Content-Length above the limit, for more bytes than it and for more after decompression', async () => {
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
    const bomb = await post(url, gzipSync(Buffer.alloc(2_000_001, 0x20)));
    expect(bomb.status).toBe(413);
    expect(bomb.json.detail).toMatch(/2000000 bytes after decompression/);
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

  it.each(['zstd', 'snappy', 'br', 'gzip, gzip'])(
    'is 415 for Content-Encoding %s, with those that work',
    async (encoding) => {
      const { url } = await start();
      const { status, json, headers } = await post(url, 'x', withKey({ 'content-encoding': encoding }));
      expect(status).toBe(415);
      expect(json.detail).toMatch(/supported: gzip, deflate, identity/);
      expect(headers.get('accept-encoding')).toBe('gzip, deflate, identity');
    },
  );

  it.each([
    ['msgpack by its type', Buffer.from([0x81]), { 'content-type': 'application/msgpack' }, /msgpack/],
    ['msgpack by its bytes', Buffer.from([0x92, 0xcf, 0, 1]), {}, /MessagePack/],
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
    for (const encoding of ['gzip', 'deflate']) {
      const { status, json } = await post(url, 'plain text', withKey({ 'content-encoding': encoding }));
      expect(status).toBe(400);
      expect(json).toMatchObject({ accepted: 0, detail: expect.stringMatching(/decompressed/) });
    }
  });

  it('of an upload that breaks midway says how much of it the log has', async () => {
    const { url, memory } = await start();
    const whole = gzipSync(records(9_000), { level: 0 });
    const { status, json } = await post(url, whole.subarray(0, Math.floor(whole.length * 0.9)));
    expect(status).toBe(400);
    expect(json.accepted).toBeGreaterThan(0);
    expect(json.accepted).toBe(targetsOf(memory).length);
  });

  it('is 405 with Allow for other methods, and 404 elsewhere', async () => {
    const { url } = await start();
    for (const method of ['PUT', 'DELETE', 'PATCH', 'OPTIONS']) {
      const answer = await fetch(url, { method });
      expect(answer.status).toBe(405);
      expect(answer.headers.get('allow')).toBe('POST, GET, HEAD');
      expect(await answer.json()).toHaveProperty('detail');
    }
    expect((await fetch(url.replace('/v1/logs', '/v2/logs'), { method: 'POST' })).status).toBe(404);
  });

  it('is 503 with Retry-After while not ready', async () => {
    const { url } = await start({ ready: () => false });
    const { status, headers } = await post(url, record('/'));
    expect(status).toBe(503);
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await fetch(url.replace('/v1/logs', '/readyz'))).status).toBe(503);
    expect((await fetch(url.replace('/v1/logs', '/healthz'))).status).toBe(200);
  });

  it('is 503 with Retry-After where the log does not take the block, and counts nothing as accepted', async () => {
    const { url } = await start({
      wrap: (log) => ({ ...log, append: () => Promise.reject(new LogUnavailableError('disk full')) }),
    });
    const { status, json, headers } = await post(url, record('/'));
    expect(status).toBe(503);
    expect(json).toMatchObject({ accepted: 0 });
    expect(JSON.stringify(json)).not.toContain('disk full');
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
  });

  it('is 500 without its cause for what nobody foresaw', async () => {
    const { url, logged } = await start({
      wrap: (log) => ({ ...log, append: () => Promise.reject(new Error('secret cause')) }),
    });
    const { status, json } = await post(url, record('/'));
    expect(status).toBe(500);
    expect(JSON.stringify(json)).not.toContain('secret cause');
    expect(logged.join()).toContain('secret cause');
  });

  it('is 503 with Retry-After past the most uploads in flight, and only then', async () => {
    const { url, service, registry } = await start();
    const open = () => {
      const request = httpRequest({
        port: service.port,
        path: '/v1/logs',
        method: 'POST',
        host: '127.0.0.1',
        headers: { 'x-api-key': KEY },
      });
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

describe('the service', () => {
  it('answers GET and HEAD on the path with 200, as shippers check their destination', async () => {
    const { url } = await start();
    const get = await fetch(url);
    expect(get.status).toBe(200);
    expect(await get.json()).toEqual({ detail: expect.stringContaining('POST /v1/logs') });
    expect((await fetch(url, { method: 'HEAD' })).status).toBe(200);
  });

  it('counts uploads, lines and bytes by source and outcome', async () => {
    const { url } = await start();
    const body = `${record('/')}\nbad`;
    await post(url, gzipSync(body));
    await post(url, body, {});
    const text = await (await fetch(url.replace('/v1/logs', '/metrics'))).text();
    expect(text).toContain('loglane_ingest_uploads_total{source="loglane",status="200"} 1');
    expect(text).toContain('loglane_ingest_uploads_total{source="none",status="401"} 1');
    expect(text).toContain('loglane_ingest_lines_total{source="loglane",outcome="accepted"} 1');
    expect(text).toContain('loglane_ingest_lines_total{source="loglane",outcome="rejected"} 1');
    expect(text).toContain(`loglane_ingest_bytes_total{form="sent"} ${gzipSync(body).length}`);
    expect(text).toContain(`loglane_ingest_bytes_total{form="inflated"} ${body.length}`);
    expect(text).toContain('loglane_ingest_upload_duration_seconds_count 1');
  });

  it('lets a sender go that leaves midway, without a block of what it had not finished', async () => {
    const { service, memory, registry } = await start();
    const request = httpRequest({
      port: service.port,
      path: '/v1/logs',
      method: 'POST',
      host: '127.0.0.1',
      headers: { 'x-api-key': KEY },
    });
    request.on('error', () => {});
    request.write(`${record('/gone')}\n`);
    await vi.waitFor(async () => expect(await registry.metrics()).toContain('uploads_in_flight 1'));
    request.destroy();
    await vi.waitFor(async () => expect(await registry.metrics()).toContain('uploads_in_flight 0'));
    expect(await registry.metrics()).toContain('status="aborted"} 1');
    expect(memory.records('requests.raw')).toEqual([]);
  });

  it('stops reading from the socket while the log is slow', async () => {
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const { service, registry } = await start({
      config: { INGEST_MAX_BODY_BYTES: 200_000_000, INGEST_MAX_INFLATED_BYTES: 200_000_000 },
      wrap: (log) => ({
        ...log,
        append: async (...given) => {
          await held;
          return log.append(...given);
        },
      }),
    });
    const request = httpRequest({
      port: service.port,
      path: '/v1/logs',
      method: 'POST',
      host: '127.0.0.1',
      headers: { 'x-api-key': KEY },
    });
    const chunk = Buffer.from(`${records(2_000)}\n`);
    let sent = 0;
    while (sent < 60_000_000 && request.write(chunk)) sent += chunk.length;
    // Whatever the sockets' buffers hold, most of the body has to wait in the sender.
    for (let count = 0; count < 60; count++) request.write(chunk);
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(request.writableLength).toBeGreaterThan(30 * chunk.length);
    release();
    request.end();
    const [answer] = (await once(request, 'response')) as [{ statusCode: number; resume(): void }];
    answer.resume();
    expect(answer.statusCode).toBe(200);
    expect(await registry.metrics()).toContain('uploads_in_flight 0');
  });

  it('finishes the uploads in flight when it stops, and takes no new one', async () => {
    const { url, service, memory } = await start();
    const request = httpRequest({
      port: service.port,
      path: '/v1/logs',
      method: 'POST',
      host: '127.0.0.1',
      headers: { 'x-api-key': KEY },
    });
    const answered = once(request, 'response') as Promise<[{ statusCode: number; resume(): void }]>;
    request.write(`${record('/first')}\n`);
    await new Promise((resolve) => setTimeout(resolve, 50));
    const stopped = service.stop();
    await expect(post(url, record('/late'))).rejects.toThrow();
    request.end(record('/second'));
    const [answer] = await answered;
    answer.resume();
    expect(answer.statusCode).toBe(200);
    await stopped;
    expect(targetsOf(memory)).toEqual(['/first', '/second']);
  });
});
