import { deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { DAY_MS, HOUR_MS } from '../../../shared/durations.js';
import {
  blocksOf,
  NOW,
  post,
  record,
  records,
  start,
  targetsOf,
  withKey,
} from '../../../test/harness/ingest/http.js';
import { storeZstd } from '../../../test/harness/ingest/zstd.js';

/** A record of a source of each shape, at a time of whole seconds. */
const lineOf = new Map<string, (at: Date) => string>([
  ['loglane', (at) => record('/a', at.toISOString())],
  [
    'cloudflare',
    (at) =>
      JSON.stringify({
        EdgeStartTimestamp: at.toISOString(),
        ClientIP: '192.0.2.1',
        ClientRequestURI: '/a',
        EdgeResponseStatus: 200,
      }),
  ],
  [
    'combined',
    (at) => {
      const [, day, month, year, time] = at.toUTCString().split(' ');
      return `192.0.2.1 - - [${day}/${month}/${year}:${time} +0000] "GET /a HTTP/1.1" 200 1`;
    },
  ],
]);

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

  it.each([...lineOf])(
    'of %s puts no request later than its receipt, and refuses singly what is more than a day ahead',
    async (name, line) => {
      const { url, memory } = await start();
      const ahead = [-HOUR_MS, HOUR_MS, DAY_MS, DAY_MS + HOUR_MS];
      const { status, json } = await post(url, ahead.map((ms) => line(new Date(NOW + ms))).join('\n'));
      expect({ status, json }).toMatchObject({
        status: 200,
        json: {
          source: name,
          accepted: 3,
          errors: [{ line: 4, reason: expect.stringMatching(/^timestamp: after .*, 24 hours ahead$/) }],
        },
      });
      expect(
        blocksOf(memory).flatMap(({ requests }) => requests.map(({ timestamp }) => timestamp - NOW)),
      ).toEqual([-HOUR_MS, 0, 0]);
    },
  );

  it.each(['', '\n\n'])('without a line (%j) says that it is empty', async (body) => {
    const { url } = await start();
    const { status, json } = await post(url, body);
    expect([status, json]).toMatchObject([200, { accepted: 0, note: 'The upload has no lines.' }]);
  });

  it.each([10, 3_000])(
    'of gzip that ends early gives the %d records before that, and says so',
    async (count) => {
      const { url, memory } = await start();
      const whole = gzipSync(records(count), { level: 0 });
      const { status, json } = await post(url, whole.subarray(0, -60));
      expect({ status, json }).toMatchObject({
        status: 200,
        json: {
          accepted: count - 1,
          rejected: 1,
          errors: [{ line: count, reason: 'cut off: the compressed body ends early' }],
          warning: 'The gzip data ends early; the lines before its end were read.',
        },
      });
      expect(targetsOf(memory)).toHaveLength(count - 1);
    },
  );

  it('takes no line that is cut off, even if the rest of it is readable', async () => {
    const { url } = await start();
    const line = lineOf.get('combined')!(new Date(NOW));
    const { json } = await post(url, gzipSync(`${line}\n${line}23`, { level: 0 }).subarray(0, -9));
    expect(json).toMatchObject({ accepted: 1, rejected: 1 });
  });

  it.each([10, 3_000])(
    'of gzip with other bytes behind it gives the %d records, and says so',
    async (count) => {
      const { url } = await start();
      const { status, json } = await post(
        url,
        Buffer.concat([gzipSync(records(count)), Buffer.from('garbage')]),
      );
      expect({ status, json }).toMatchObject({
        status: 200,
        json: {
          accepted: count,
          rejected: 0,
          warning: '7 bytes after the end of the gzip data are not gzip; they were left out.',
        },
      });
    },
  );

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

  it('that is empty is 200 with zeros, and appends nothing', async () => {
    const { url, memory } = await start();
    for (const body of ['', '\n \n', '[]', gzipSync('')]) {
      const { status, json } = await post(url, body);
      expect({ status, ...json }).toMatchObject({ status: 200, accepted: 0, rejected: 0, source: null });
    }
    expect(memory.records('requests.raw')).toEqual([]);
  });

  it('with bad lines only is 200, and reports the first ten', async () => {
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
    ['zstd', storeZstd(Buffer.from(record('/z'))), { 'content-encoding': 'zstd' }],
    ['zstd without its header', storeZstd(Buffer.from(record('/z'))), {}],
    [
      'several zstd frames',
      Buffer.concat([storeZstd(Buffer.from('\n')), storeZstd(Buffer.from(record('/z')))]),
      {},
    ],
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

  it('is read by the source in ?source=', async () => {
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
    expect(unknown.json.detail).toMatch(/source: .*"iis".*cloudflare, .*combined/);
  });

  it('that Logpush sends as a destination check is 200 with the right key and 401 with a wrong one', async () => {
    const { url, memory } = await start();
    for (const body of [gzipSync('{"content":"tests"}'), '{"content":"tests"}', 'test']) {
      expect((await post(url, body)).json).toMatchObject({ accepted: 0, rejected: 0 });
      expect((await post(url, body, { 'x-api-key': 'll_wrong' })).status).toBe(401);
    }
    expect(memory.records('requests.raw')).toEqual([]);
  });
});
