import { expect, test } from 'vitest';
import { takeBody } from '../../../test/harness/ingest/take-body.js';

/** Bytes of a target that are not UTF-8 are preserved for every way in which logs write them. */

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
const fieldsOfNginx = (uri: string) =>
  Buffer.from(
    `{"time_local":"14/Feb/2026:08:15:30 +0000","remote_addr":"192.0.2.1","request_method":"GET","request_uri":"${uri}","status":"200","http_user_agent":"x"}\n`,
  );
const fieldsOfApache = (uri: string) =>
  Buffer.from(
    `{"time":"14/Feb/2026:08:15:30 +0000","remote_host":"192.0.2.1","request":"GET ${uri} HTTP/1.1","status":"200","agent":"x"}\n`,
  );
const pretty = (path: string) => Buffer.from(`[${String(record(path).toString('latin1'))}]`, 'latin1');

test.each([
  ['raw in a line', combined('/caf\xe9'), '/caf%E9'],
  ['escaped in a line', combined('/caf\\xE9'), '/caf%E9'],
  ['as a percent code', combined('/caf%e9'), '/caf%e9'],
  ['raw in JSON', record('/caf\xe9'), '/caf%E9'],
  ['raw in a list of JSON', pretty('/caf\xe9'), '/caf%E9'],
  ['as half of a pair in JSON', record('/caf\\udce9'), '/caf%E9'],
  ['escaped by the server, then put into JSON', record('/caf\\\\xE9?q=\\\\xe9'), '/caf%E9?q=%E9'],
  ['likewise, in a list of JSON', pretty('/caf\\\\xE9'), '/caf%E9'],
  ['likewise, in fields of nginx', fieldsOfNginx('/caf\\\\xE9'), '/caf%E9'],
  ['likewise, in a request line of Apache', fieldsOfApache('/caf\\\\xE9'), '/caf%E9'],
  ['that are UTF-8, likewise', record('/caf\\\\xC3\\\\xA9'), '/café'],
  ['that are none: a backslash and letters', record('/a\\\\xyz\\\\n'), '/a\\xyz\\n'],
  ['that are UTF-8, raw', combined('/caf\xc3\xa9'), '/café'],
  ['that are UTF-8, escaped', combined('/caf\\xC3\\xA9'), '/café'],
])('%s', (_, body, target) => {
  for (const chunkBytes of [body.length, 7]) {
    const { requests } = takeBody(body, { chunkBytes });
    expect(requests.map((request) => request.target)).toEqual([target]);
  }
});
