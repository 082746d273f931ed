import { expect, test } from 'vitest';
import { takeBody } from '../../../test/harness/ingest/take-body.js';

/** Bytes of a target that are not UTF-8 stay what they are, however a log writes them. */

const combined = (target: string) =>
  Buffer.from(
    `198.51.100.7 - - [14/Feb/2026:08:15:30 +0000] "GET ${target} HTTP/1.1" 200 5 "-" "caf\xe9"\n`,
    'latin1',
  );
const record = (path: string) =>
  Buffer.from(
    `{"timestamp":1771056930,"client_ip":"192.0.2.1","method":"GET","path":"${path}","status":200,"user_agent":"caf\xe9"}\n`,
    'latin1',
  );
const pretty = (path: string) => Buffer.from(`[${String(record(path).toString('latin1'))}]`, 'latin1');

test.each([
  ['raw in a line', combined('/caf\xe9'), '/caf%E9'],
  ['escaped in a line', combined('/caf\\xE9'), '/caf%E9'],
  ['as a percent code', combined('/caf%e9'), '/caf%e9'],
  ['raw in JSON', record('/caf\xe9'), '/caf%E9'],
  ['raw in a list of JSON', pretty('/caf\xe9'), '/caf%E9'],
  ['as half of a pair in JSON', record('/caf\\udce9'), '/caf%E9'],
  ['that are UTF-8, raw', combined('/caf\xc3\xa9'), '/café'],
  ['that are UTF-8, escaped', combined('/caf\\xC3\\xA9'), '/café'],
])('%s', (_, body, target) => {
  for (const chunkBytes of [body.length, 7]) {
    const { requests } = takeBody(body, { chunkBytes });
    expect(requests.map((request) => request.target)).toEqual([target]);
  }
});
