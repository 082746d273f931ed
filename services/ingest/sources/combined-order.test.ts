import { describe, expect, it } from 'vitest';
import { takeBody } from '../../../test/harness/ingest/take-body.js';

/**
 * Uploads of 20 lines whose columns have another order. One client sends an address, which is not used in any
 * position of its line.
 */
const ATTACK = '198.51.100.77';
const AGENT = 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)';
const line = (path: string, columns: string) =>
  `10.0.0.1 - - [14/Feb/2026:08:15:30 +0000] "GET ${path} HTTP/1.1" 200 10 ${columns}`;

describe.each([0, 1, 10, 19])('an odd line at place %i', (place) => {
  it.each([
    ['"-" "-" "198.51.100.77"', `"198.51.100.40" "https://example.com/x" "${AGENT}"`],
    ['"198.51.100.40" "https://example.com/x" "198.51.100.77"', `"198.51.100.40" "-" "${AGENT}"`],
    ['"198.51.100.77" "-"', `"${AGENT}" "https://example.com/x"`],
    ['"198.51.100.77" "https://example.com/x"', `"${AGENT}" "-"`],
  ])('is rejected with the others: %s among %s', (odd, usual) => {
    const lines = Array.from({ length: 20 }, (_, at) =>
      at === place ? line('/odd', odd) : line('/', usual),
    );
    const { requests, tally } = takeBody(Buffer.from(lines.join('\n')));
    expect(tally.rejected).toBeGreaterThanOrEqual(19);
    expect(tally.errors[0]?.reason).toContain('?format=');
    expect(JSON.stringify(requests)).not.toContain(ATTACK);
  });
});

it.each([
  ['"-" "x" rt=9.999 host=evil.com "" rt=0.100 host=shop.e.com', '', null],
  ['"-" "x" 9.999 evil.com a" 0.100 0.099 shop.e.com', '', null],
  ['"-" "x" rt=0.100 host=shop.e.com', 'shop.e.com', 100],
])(
  'a client that writes quotes into its agent sets neither host nor time: %s',
  (columns, host, time_taken_ms) => {
    const { requests } = takeBody(
      Buffer.from([line('/', `"-" "${AGENT}"`), line('/odd', columns)].join('\n')),
    );
    expect(requests.at(-1)).toMatchObject({ host, time_taken_ms });
  },
);
