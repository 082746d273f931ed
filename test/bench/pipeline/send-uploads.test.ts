import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { sendUpload, sendUploads } from './send-uploads.js';

/** The uploads that ingest receives, and its answers. */
let taken: { url: string; headers: IncomingHttpHeaders; body: string }[] = [];
let status = 200;
let ingestUrl = '';
const server = createServer(async (request, response) => {
  const body = (await buffer(request)).toString();
  taken.push({ url: request.url!, headers: request.headers, body });
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify({ accepted: 3 }));
});

beforeEach(async () => {
  [taken, status] = [[], 200];
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  ingestUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/logs`;
});

afterEach(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

const upload = (body: string) => ({ lines: 3, body: Buffer.from(body) });

it('sends the body with the key, and returns the number of accepted lines', async () => {
  expect(await sendUpload(upload('lines'), 'the key', { ingestUrl, source: 'combined' })).toBe(3);
  const [{ url, headers, body }] = taken as [(typeof taken)[number]];
  expect([url, body]).toEqual(['/v1/logs?source=combined', 'lines']);
  expect(headers).toMatchObject({
    'x-api-key': 'the key',
    'content-encoding': 'gzip',
    'content-length': '5',
  });
});

it('reports a refusal', async () => {
  status = 429;
  expect(await sendUpload(upload('lines'), 'k', { ingestUrl, source: 'combined' })).toBeNull();
});

it('reports that ingest is unavailable', async () => {
  const away = { ingestUrl: 'http://127.0.0.1:1/v1/logs', source: 'combined' };
  await expect(sendUpload(upload('lines'), 'k', away)).rejects.toThrow('ECONNREFUSED');
});

it('sends the uploads in order to alternating websites, within the rate', async () => {
  const how = {
    ingestUrl,
    ingestKeys: ['one', 'other'],
    source: 'combined',
    senders: 2,
    linesPerSecond: 300,
  };
  const started = performance.now();
  const sending = sendUploads(['a', 'b', 'c'].map(upload), how);
  while (taken.length < 12) await new Promise((resolve) => setTimeout(resolve, 5));
  // The twelfth is due after 33 lines.
  expect(performance.now() - started).toBeGreaterThan(105);
  await sending.stop();
  expect(sending.lines()).toBe(3 * taken.length);
  const first = taken.slice(0, 6).map(({ body, headers }) => `${body} ${headers['x-api-key']}`);
  expect(first.sort()).toEqual(['a one', 'a other', 'b one', 'b other', 'c one', 'c other']);
});
