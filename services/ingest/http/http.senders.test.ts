import { gzipSync } from 'node:zlib';
import protobuf from 'protobufjs/minimal.js';
import { describe, expect, it } from 'vitest';
import { blocksOf, KEY, post, record, start, targetsOf, withKey } from '../../../test/harness/ingest/http.js';
import { encodeOtlp } from '../../../test/harness/ingest/otlp.js';

const line = (path: string) =>
  `198.51.100.7 - - [14/Feb/2026:08:15:30 +0000] "GET ${path} HTTP/1.1" 200 5 "-" "-"`;
const base64 = (text: string | Buffer) => Buffer.from(text).toString('base64');

describe('Amazon Data Firehose', () => {
  const headers = {
    'x-amz-firehose-protocol-version': '1.0',
    'x-amz-firehose-request-id': 'ed4acda5-034f-9f42-bba1-f29aea6d7d8f',
    'x-amz-firehose-access-key': KEY,
    'content-type': 'application/json',
  };
  const batch = (...data: (string | Buffer)[]) =>
    JSON.stringify({
      requestId: headers['x-amz-firehose-request-id'],
      timestamp: 1578090901599,
      records: data.map((one) => ({ data: base64(one) })),
    });

  it('can send lines, JSON and compressed batches of CloudWatch, and gets its own id back', async () => {
    const { url, memory } = await start();
    const cloudWatch = (messageType: string, messages: string[]) =>
      gzipSync(
        JSON.stringify({ messageType, owner: '1', logEvents: messages.map((message) => ({ message })) }),
      );
    const body = batch(
      `${line('/a')}\n${line('/b')}\n`,
      '',
      cloudWatch('CONTROL_MESSAGE', ['CWL CONTROL MESSAGE: Checking health']),
      cloudWatch('DATA_MESSAGE', [line('/c'), line('/d')]),
    );
    const { status, json } = await post(url, body, headers);
    expect({ status, json }).toEqual({
      status: 200,
      json: { requestId: headers['x-amz-firehose-request-id'], timestamp: expect.any(Number) },
    });
    expect(targetsOf(memory)).toEqual(['/a', '/b', '/c', '/d']);
    expect(
      (await post(url, gzipSync(batch(record('/e'))), { ...headers, 'content-encoding': 'gzip' })).status,
    ).toBe(200);
  });

  it('gets refusals in its own form, and never 413, which makes it drop the batch', async () => {
    const { url, memory } = await start({ plan: { rowsPerHour: 1 } });
    const wrong = await post(url, batch(line('/')), { ...headers, 'x-amz-firehose-access-key': 'll_wrong' });
    expect(wrong).toMatchObject({
      status: 401,
      json: { requestId: headers['x-amz-firehose-request-id'], errorMessage: 'Ingest key not valid.' },
    });
    const large = await post(url, Buffer.alloc(1_100_000, 32), headers);
    expect(large.status).toBe(503);
    expect(memory.records('requests.raw')).toEqual([]);
  });

  it('rejects a record that is damaged or inflates beyond the limit, and takes the others', async () => {
    const { url, memory } = await start({ config: { INGEST_MAX_INFLATED_BYTES: 100_000_000 } });
    const bomb = gzipSync(Buffer.alloc(17 * 1024 * 1024));
    const { status } = await post(
      url,
      batch(bomb, gzipSync(line('/x')).subarray(0, 20), line('/a')),
      headers,
    );
    expect(status).toBe(200);
    expect(targetsOf(memory)).toEqual(['/a']);
  });

  it('counts inflated bytes as bytes of the upload', async () => {
    const { url } = await start();
    const megabyte = gzipSync(Buffer.from(`${line('/a')}\n`.repeat(15_000)));
    const { status, json } = await post(url, batch(megabyte, megabyte), headers);
    expect(status).toBe(503);
    expect(json.errorMessage).toMatch(/larger than 2000000 bytes after decompression/);
  });
});

describe('a shipper', () => {
  it.each([
    [
      'Vector, Fluentd, Logstash',
      [{ message: line('/a'), host: 'web-1', timestamp: '2026-02-14T08:15:31Z', path: '/var/log/a' }],
    ],
    ['Docker and Fluent Bit', [{ log: `${line('/a')}\n`, stream: 'stdout', time: '2026-02-14T08:15:31Z' }]],
    [
      'Elastic Agent',
      [{ '@timestamp': '2026-02-14T08:15:31Z', event: { original: line('/a') }, message: 'x' }],
    ],
    ['JSON inside of a message', [{ message: record('/a'), timestamp: 'now', path: '/var/log/a' }]],
    ['Pub/Sub', { message: { data: base64(record('/a')), messageId: '1' }, subscription: 's' }],
    ['syslog, RFC 5424', `<134>1 2026-02-14T08:15:31Z web-1 nginx 12 - [x y="]\\""] ${line('/a')}`],
    ['syslog, RFC 3164', `<190>Feb 14 08:15:31 web-1 nginx: ${line('/a')}`],
    ['a file of rsyslog', `Feb  4 08:15:31 web-1 nginx[7]: ${line('/a')}`],
    ['a file of rsyslog with ISO times', `2026-02-14T08:15:31.250+00:00 web-1 nginx: ${line('/a')}`],
    ['syslog around JSON', `<134>2026-02-14T08:15:31Z cache-fra-1 shop[12]: ${record('/a')}`],
    ['syslog without a tag around JSON', `2026-02-14T08:15:31.613304+00:00 198.51.100.1  ${record('/a')}`],
    ['a container of Kubernetes', `2026-02-14T08:15:31.250123456Z stdout F ${line('/a')}`],
    [
      'a container around syslog',
      `2026-02-14T08:15:31.250123456Z stdout F <190>Feb 14 08:15:31 web-1 nginx: ${line('/a')}`,
    ],
  ])('can wrap the line: %s', async (_name, sent) => {
    const { url, memory } = await start();
    const body = typeof sent === 'string' ? sent : JSON.stringify(sent);
    expect((await post(url, body, withKey({}))).json).toMatchObject({ accepted: 1, rejected: 0 });
    expect(blocksOf(memory)[0]?.requests).toMatchObject([{ target: '/a', client_ip: '198.51.100.7' }]);
    expect(blocksOf(memory)[0]?.requests[0]?.timestamp).toBe(Date.parse('2026-02-14T08:15:30Z'));
  });

  it('keeps its own fields if their text is not a log', async () => {
    const { url, memory } = await start();
    const sent = { ...JSON.parse(record('/a')), message: 'GET /a', log: 'access' };
    expect((await post(url, JSON.stringify(sent))).json).toMatchObject({ accepted: 1, source: 'loglane' });
    expect(targetsOf(memory)).toEqual(['/a']);
  });

  it('gets an error for each envelope too many', async () => {
    const { url } = await start();
    let text = line('/a');
    for (let depth = 0; depth < 7; depth++) text = JSON.stringify({ message: text });
    expect((await post(url, text)).json).toMatchObject({ accepted: 0, rejected: 1 });
  });
});

describe('OpenTelemetry', () => {
  const record = { timeUnixNano: 1771056930250000000n, body: line('/a') };

  it('can send log records in protobuf, and gets an answer in protobuf', async () => {
    const { url, memory } = await start();
    const send = (body: Buffer) =>
      fetch(url, {
        method: 'POST',
        body: new Uint8Array(body),
        headers: withKey({ 'content-type': 'application/x-protobuf' }),
      });
    const answer = await send(encodeOtlp([record, { ...record, body: line('/b') }]));
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toBe('application/x-protobuf');
    expect((await answer.arrayBuffer()).byteLength).toBe(0);
    expect(targetsOf(memory)).toEqual(['/a', '/b']);

    const partial = await send(encodeOtlp([record, { ...record, body: 'what is this' }]));
    const reader = protobuf.Reader.create(new Uint8Array(await partial.arrayBuffer()));
    reader.uint32();
    reader.uint32();
    reader.uint32();
    expect(Number(reader.int64())).toBe(1);
    expect((await send(Buffer.from('no protobuf'))).status).toBe(400);
  });

  it('can send log records in JSON', async () => {
    const { url, memory } = await start();
    const logRecords = ['/a', '/b'].map((path) => ({
      timeUnixNano: '1771056930250000000',
      body: { stringValue: line(path) },
    }));
    const body = { resourceLogs: [{ resource: { attributes: [] }, scopeLogs: [{ scope: {}, logRecords }] }] };
    expect((await post(url, JSON.stringify(body))).json).toMatchObject({ accepted: 2, rejected: 0 });
    expect(targetsOf(memory)).toEqual(['/a', '/b']);
  });

  it('is accepted if its exporter appends its own path', async () => {
    const { url } = await start();
    expect((await post(`${url}/v1/logs`, line('/a'))).status).toBe(200);
    expect((await post(`${url}/${KEY}/v1/logs`, line('/a'), {})).status).toBe(200);
  });
});

describe('Filebeat', () => {
  it('gets a known greeting, and an item for each of its actions', async () => {
    const { url, memory } = await start();
    const base = url.replace('/v1/logs', '/v1/elasticsearch');
    const greeting = await fetch(`${base}/`);
    expect(greeting.headers.get('x-elastic-product')).toBe('Elasticsearch');
    expect(await greeting.json()).toMatchObject({ version: { number: expect.stringMatching(/^8\./) } });
    const events = [line('/a'), line('/b'), 'what is this'].map((message) => ({
      '@timestamp': '2026-02-14T08:15:31Z',
      message,
    }));
    const body = events
      .flatMap((event) => [{ create: { _index: 'logs' } }, event])
      .map((one) => JSON.stringify(one));
    const authorization = `ApiKey ${base64(`id:${KEY}`)}`;
    const { status, json } = await post(`${base}/_bulk`, `${body.join('\n')}\n`, { authorization });
    expect(status).toBe(200);
    expect(json).toMatchObject({ errors: false, items: [{ create: { status: 201 } }, {}, {}] });
    expect(targetsOf(memory)).toEqual(['/a', '/b']);
  });
});

it('takes the key in the path', async () => {
  const { url } = await start();
  expect((await post(`${url}/${KEY}`, line('/a'), {})).status).toBe(200);
  expect((await post(`${url}/ll_wrong`, line('/a'), {})).status).toBe(401);
  expect((await post(`${url}/a/b`, line('/a'), {})).status).toBe(404);
});

it("answers Fastly's challenge for any service, and Vercel's with the code in the address", async () => {
  const { url } = await start();
  const challenge = await fetch(url.replace('/v1/logs', '/.well-known/fastly/logging/challenge'));
  expect(await challenge.text()).toBe('*\n');
  const verify = await fetch(`${url}?verify=abc_123`);
  expect([verify.status, verify.headers.get('x-vercel-verify')]).toEqual([200, 'abc_123']);
  expect((await fetch(`${url}?verify=a%0d%0ab`)).headers.get('x-vercel-verify')).toBeNull();
});

it('reads the query after further question marks', async () => {
  const { url, memory } = await start();
  const format = '$remote_addr [$time_local] "$request_method $uri?$args" $status';
  const sent = '198.51.100.7 [14/Feb/2026:08:15:30 +0000] "GET /a?x=1" 200';
  const answer = await post(`${url}?format=${encodeURIComponent(format).replaceAll('%3F', '?')}`, sent);
  expect(answer.json).toMatchObject({ accepted: 1 });
  expect(targetsOf(memory)).toEqual(['/a?x=1']);
});

describe('Loki’s push API', () => {
  const at = (url: string) => url.replace('/v1/logs', '/loki/api/v1/push');
  const authorization = `Basic ${btoa(`loki:${KEY}`)}`;
  const push = (lines: readonly string[]) =>
    JSON.stringify({
      streams: [{ stream: { job: 'a' }, values: lines.map((one) => ['1771056930000000000', one]) }],
    });

  it('takes a batch in JSON that is longer than the limit of a line', async () => {
    const { url, memory } = await start();
    const paths = Array.from({ length: 6_000 }, (_, at) => `/${at}`);
    const sent = await post(at(url), push(paths.map(line)), { authorization });
    expect(sent).toMatchObject({ status: 200, json: { accepted: 6_000, rejected: 0 } });
    expect(targetsOf(memory)).toEqual(paths);
  });

  // A block of snappy begins with its length: one of 10 bytes looks like a field of OTLP.
  it.each([
    ['application/x-protobuf', Buffer.from('\xff\x06\0\0sNaPpY', 'latin1'), {}],
    ['application/x-protobuf', Buffer.from([10, 2, 18, 0]), {}],
    ['application/protobuf; proto=logproto.PushRequest', Buffer.from([10, 2, 18, 0]), {}],
    ['application/x-protobuf', Buffer.from([10, 2, 18, 0]), { 'content-encoding': 'snappy' }],
  ])('refuses %s unread (%#), with one reason everywhere', async (type, body, more) => {
    const { url, outcomes, logged } = await start();
    const sent = await post(at(url), body, { authorization, 'content-type': type, ...more });
    const reason = expect.stringContaining('push JSON') as string;
    expect(sent).toMatchObject({ status: 400, json: { detail: reason } });
    expect(outcomes.due(true)?.websites).toMatchObject([{ last: { kind: 'refused', reason } }]);
    expect(logged.join('')).toContain('push JSON');
    expect(logged.join('')).not.toContain('OTLP');
  });
});

describe('Splunk’s HTTP Event Collector', () => {
  const headers = { authorization: `Splunk ${KEY}` };

  it('can send events as text and as fields, and lines', async () => {
    const { url, memory } = await start();
    const at = (path: string) => url.replace('/v1/logs', path);
    const events = [
      { time: 1771056930.5, host: 'web1', sourcetype: 'nginx', event: line('/a') },
      { time: 1771056930, event: JSON.parse(record('/b')) as unknown },
      { time: 1771056930, event: { line: line('/c'), source: 'stdout', tag: 'web' } },
    ];
    for (const event of events) {
      const sent = await post(at('/services/collector/event'), JSON.stringify(event), headers);
      expect(sent).toMatchObject({ status: 200, json: { text: 'Success', code: 0 } });
    }
    const twice = JSON.stringify(events[0]).repeat(2);
    await post(at('/services/collector'), twice, headers);
    const raw = await post(at('/services/collector/raw'), `${line('/d')}\n`, headers);
    expect(raw.status).toBe(200);
    expect(targetsOf(memory).sort()).toEqual(['/a', '/a', '/a', '/b', '/c', '/d']);
  });

  it('gets refusals in its own form', async () => {
    const { url } = await start();
    const wrong = await post(url.replace('/v1/logs', '/services/collector'), line('/'), {
      authorization: 'Splunk ll_wrong',
    });
    expect(wrong).toMatchObject({ status: 401, json: { text: 'Ingest key not valid.', code: 4 } });
  });
});
