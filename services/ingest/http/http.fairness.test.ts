import { once } from 'node:events';
import { Agent, type ClientRequest, request as httpRequest, type IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { gzipSync } from 'node:zlib';
import { describe, expect, it, vi } from 'vitest';
import {
  KEY,
  OTHER_KEY,
  openUpload,
  post,
  record,
  records,
  type Setup,
  start,
  targetsOf,
} from '../../../test/harness/ingest/http.js';

interface Answer {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly json: Record<string, unknown>;
}

/** An upload that lasts until the test ends it. */
function open({ service }: Setup, key = KEY): { request: ClientRequest; answer: Promise<Answer> } {
  const request = openUpload({ service }, key);
  const answer = (once(request, 'response') as Promise<[IncomingMessage]>).then(async ([response]) => {
    let text = '';
    for await (const chunk of response) text += chunk;
    return { status: response.statusCode!, headers: response.headers, json: JSON.parse(text) };
  });
  request.write(`${record('/slow')}\n`);
  return { request, answer };
}

const other = { 'x-api-key': OTHER_KEY };
const inFlight = (setup: Setup, uploads: number) =>
  vi.waitFor(
    async () => expect(await setup.registry.metrics()).toContain(`uploads_in_flight ${uploads}\n`),
    5_000,
  );

describe('uploads of one website', () => {
  it('get a share of the slots: many slow ones block no other website', async () => {
    const setup = await start({
      config: { INGEST_MAX_IN_FLIGHT: 8, INGEST_MAX_IN_FLIGHT_PER_WEBSITE: undefined },
    });
    const slow = Array.from({ length: 20 }, () => open(setup));
    await inFlight(setup, 2);
    expect((await post(setup.url, record('/other'), other)).status).toBe(200);
    const refused = await post(setup.url, record('/mine'));
    expect(refused.status).toBe(503);
    expect(refused.headers.get('retry-after')).toBe('1');
    expect(refused.json).toMatchObject({
      reason: 'website_uploads_at_once',
      detail: expect.stringMatching(/More than 2/),
    });
    for (const { request } of slow) request.end();
    const statuses = (await Promise.all(slow.map(({ answer }) => answer))).map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(2);
    expect(statuses.filter((status) => status === 503)).toHaveLength(18);
    expect((await post(setup.url, record('/mine again'))).status).toBe(200);
  });

  it('wait above the byte rate, and no other website waits with them', async () => {
    const setup = await start({
      now: Date.now,
      plan: { retentionDays: 36_500 },
      config: { INGEST_MAX_BYTES_PER_SECOND_PER_WEBSITE: 200_000 },
    });
    const answered: string[] = [];
    const body = gzipSync(records(12_000));
    const mine = post(setup.url, body).then(({ status, json }) =>
      answered.push(`mine ${status} ${json.accepted}`),
    );
    await inFlight(setup, 1);
    for (let upload = 0; upload < 5; upload++) {
      const { status } = await post(setup.url, record('/other'), other);
      answered.push(`other ${status}`);
    }
    await mine;
    expect(answered).toEqual([...Array(5).fill('other 200'), 'mine 200 12000']);
  });
});

describe('a body that comes too slowly', () => {
  const config = { INGEST_MIN_BYTES_PER_SECOND: 1_000, INGEST_SLOW_GRACE_MS: 400 };

  it('is answered 408 with its stored requests, and its slot is free again', async () => {
    const setup = await start({ config });
    const { request, answer } = open(setup);
    const trickle = setInterval(() => request.write(' '), 50);
    const { status, json, headers } = await answer;
    clearInterval(trickle);
    expect(status).toBe(408);
    expect(json).toMatchObject({
      accepted: targetsOf(setup.memory).length,
      rejected: 0,
      upload_id: 'upload-1',
      reason: 'too_slow',
      detail: expect.stringMatching(/less than 1000 bytes a second/),
    });
    expect(headers.connection).toBe('close');
    await inFlight(setup, 0);
    expect(await setup.registry.metrics()).toContain(
      'loglane_ingest_refused_uploads_total{reason="too_slow"} 1',
    );
  });

  it('may take far longer than the grace if it keeps the least rate', async () => {
    const setup = await start({ config });
    const { request, answer } = open(setup);
    const until = Date.now() + 2_000;
    while (Date.now() < until) {
      request.write(`${record('/slow')}\n`.repeat(4));
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    request.end();
    const { status, json } = await answer;
    expect(status).toBe(200);
    expect(json.accepted).toBe(targetsOf(setup.memory).length);
  });

  it('is not charged for time that it waits for the log', async () => {
    const setup = await start({
      config,
      wrap: (log) => ({
        ...log,
        append: async (...given) => {
          await new Promise((resolve) => setTimeout(resolve, 900));
          return log.append(...given);
        },
      }),
    });
    expect((await post(setup.url, records(6_000))).status).toBe(200);
  });

  it('of a refused call is not awaited, even if it trickles in', async () => {
    const { service } = await start();
    for (const head of [
      'POST /v1/logs HTTP/1.1\r\nhost: x\r\nx-api-key: wrong\r\ncontent-length: 200000\r\n\r\n',
      'GET /readyz HTTP/1.1\r\nhost: x\r\ncontent-length: 200000\r\n\r\n',
      'PUT /v1/logs HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\n',
    ]) {
      const socket = connect(service.port, '127.0.0.1');
      // A reset is a valid end; events.once would reject on it.
      socket.on('error', () => {});
      socket.resume();
      const closed = new Promise((resolve) => socket.once('close', resolve));
      socket.write(head);
      const trickle = setInterval(() => socket.write('1\r\n \r\n'), 100);
      await closed;
      clearInterval(trickle);
    }
  }, 20_000);

  it('of a refused call costs its sender no connection if it is completed', async () => {
    const { url } = await start();
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const send = async (body: Buffer) => {
      const request = httpRequest(url, {
        method: 'POST',
        agent,
        headers: { 'x-api-key': KEY, 'content-length': body.length },
      });
      request.end(body);
      const [response] = (await once(request, 'response')) as [IncomingMessage];
      response.resume();
      await once(response, 'end');
      return { status: response.statusCode, port: request.socket!.localPort };
    };
    // The first line shows that it is comma-separated; the rest remains unread.
    const refused = await send(Buffer.from(`ClientIP,RayID\n${' '.repeat(240_000)}`));
    expect(refused.status).toBe(415);
    await new Promise((resolve) => setTimeout(resolve, 2_500));
    for (let repeat = 0; repeat < 2; repeat++)
      expect((await send(Buffer.from('{}'))).port).toBe(refused.port);
    agent.destroy();
  });
});
