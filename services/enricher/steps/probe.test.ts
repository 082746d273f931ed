import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isProbe } from '../../../shared/detection/probes.js';
import { enrichedAs } from '../../../test/harness/enrich-each.js';
import { storedRequest } from '../../../test/harness/stored-requests.js';
import { plainRequest } from '../sink/plain-request.js';
import { probesOf } from './probe.js';

const anyRow = fc.record({
  path: fc.constantFrom('/', '/shop', '/.env', '/wp-login.php', '/static/..%2f..%2f..%2fetc/passwd'),
  sent_target: fc.constantFrom('', '/static/../../etc/hosts?page=2'),
  query: fc.constantFrom('', 'page=2', 'id=1+union+all+select+1', 'q=%27%20or%20%271%27=%271'),
  status: fc.constantFrom(200, 302, 403, 404, 429, 500),
  user_agent: fc.constantFrom('Firefox', '() { :; }; /bin/id'),
  bot_name: fc.constantFrom('', 'sqlmap', 'Googlebot'),
});

test('a row is a probe in a block if it is one by itself', () => {
  fc.assert(
    fc.property(fc.array(anyRow, { minLength: 1, maxLength: 40 }), (given) => {
      const block = enrichedAs(
        given.map(({ status, user_agent }) => ({ ...plainRequest({}), status, user_agent })),
        given.map((row) => storedRequest({ website_id: 'w', timestamp: 0, ...row })),
      );
      expect([...probesOf(block)]).toEqual(given.map((row) => Number(isProbe(row, row))));
    }),
  );
});

test('a target of many rows is checked once for refused and once for other requests', () => {
  let reads = 0;
  const rows = Array.from({ length: 1_000 }, (_, row) =>
    plainRequest({ target: '/.git/config', status: row % 2 === 0 ? 200 : 404 }),
  );
  const block = enrichedAs(
    rows,
    rows.map(() => storedRequest({ website_id: 'w', timestamp: 0 })),
  );
  const value = {
    ...block.target.values[0]!,
    get path() {
      reads += 1;
      return '/.git/config';
    },
  };
  const target = { values: [value], ids: new Uint8Array(rows.length) };
  expect([...probesOf({ ...block, target })].every((probe) => probe === 1)).toBe(true);
  expect(reads).toBe(2);
});
