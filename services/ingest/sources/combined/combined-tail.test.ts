import { expect, it } from 'vitest';
import { takeBody } from '../../../../test/harness/ingest/take-body.js';

/** Tails of the common log that different releases of Traefik write. */
it.each([
  ['"-" "-" 295 "whoami-1@file" "-" 0ms', '', 0],
  ['"-" "-" 295 "whoami-1@file" "-" 5510ms ', '', 5_510],
  ['"-" "-" 1 "backend@docker" - 0ms', '', 0],
  ['"-" "Mozilla/5.0" 1 "backend@docker" - 3ms', 'Mozilla/5.0', 3],
  ['"-" "-" 7 "Host-example-com-0" "http://172.23.1.8:80" 47ms', '', 47],
])('reads a line that ends in %s', (tail, userAgent, milliseconds) => {
  const line = `198.51.100.7 - user [14/Feb/2026:08:15:30 +0000] "GET / HTTP/2.0" 401 17 ${tail}`;
  const { requests } = takeBody(Buffer.from(line));
  expect(requests.map((one) => [one.user_agent, one.time_taken_ms, one.host])).toEqual([
    [userAgent, milliseconds, ''],
  ]);
});
