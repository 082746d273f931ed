import { describe, expect, it } from 'vitest';
import { takeBody } from '../../../test/harness/ingest/take-body.js';

/**
 * The quoted column after the user agent: X-Forwarded-For of nginx's packaged form, or another header or cookie with
 * an address from a client.
 */
const ATTACK = '198.51.100.77';
const CLIENT = '203.0.113.9';
const BROWSER = 'Mozilla/5.0 (X11; Linux x86_64)';
const line = (path: string, column: string, { peer = '10.0.0.1', agent = BROWSER } = {}) =>
  `${peer} - - [14/Feb/2026:08:15:30 +0000] "GET ${path} HTTP/1.1" 200 10 "-" "${agent}"${column}`;

const carriers: [string, (lines: readonly string[]) => string][] = [
  ['lines', (lines) => lines.join('\n')],
  ['messages', (lines) => lines.map((message) => JSON.stringify({ message })).join('\n')],
];

/** @returns addresses of clients by path */
function take(body: string) {
  const { requests, tally } = takeBody(Buffer.from(body));
  expect(tally).toMatchObject({ source: 'combined', rejected: 0, skipped: 0 });
  expect(tally.parsed).toBe(requests.length);
  return requests.map(({ target, client_ip }) => [target, client_ip]).sort();
}

const among = (place: number, odd: string, usual: string) =>
  Array.from({ length: 20 }, (_, at) => (at === place ? odd : usual));

describe.each(carriers)('in %s', (_, wrap) => {
  it.each([0, 1, 10, 19])('an address at place %i of a header or cookie is not a client', (place) => {
    const others = [' "-"', ' "session=abc"', ' "de-DE,de;q=0.9"', ''];
    for (const usual of others) {
      for (const value of [ATTACK, `10.0.0.7, ${ATTACK}`, `x, ${ATTACK}`]) {
        for (const agent of [BROWSER, 'curl/8.0']) {
          const body = wrap(among(place, line('/odd', ` "${value}"`, { agent }), line('/', usual)));
          expect(take(body)).toContainEqual(['/odd', '10.0.0.1']);
        }
      }
    }
  });

  it.each([0, 1, 10, 19])('at place %i a proxy’s own address counts after a client’s text', (place) => {
    const odd = line('/odd', ` "${ATTACK}, ${CLIENT}"`);
    const body = wrap(among(place, odd, line('/', ' "203.0.113.5"')));
    expect(new Set(take(body).map(String))).toEqual(new Set(['/,203.0.113.5', `/odd,${CLIENT}`]));
  });

  it.each([0, 1, 10, 19])('at place %i no header of a direct connection counts', (place) => {
    const odd = line('/odd', ` "${ATTACK}"`, { peer: CLIENT });
    const body = wrap(among(place, odd, line('/', ' "203.0.113.5"')));
    expect(new Set(take(body).map(String))).toEqual(new Set(['/,203.0.113.5', `/odd,${CLIENT}`]));
  });

  it('a proxy’s checks, which have no forwarded address, hide no client', () => {
    const check = line('/health', ' "-"', { agent: 'ELB-HealthChecker/2.0' });
    const body = wrap([...Array.from({ length: 100 }, () => check), line('/', ` "${CLIENT}"`)]);
    expect(take(body)).toContainEqual(['/', CLIENT]);
  });

  it.each([1, 2, 15, 16, 17, 40])('of %i lines each has its forwarded address', (count) => {
    const body = wrap(Array.from({ length: count }, (_, at) => line(`/${at}`, ` "203.0.113.${at}"`)));
    expect(take(body)).toEqual(
      Array.from({ length: count }, (_, at) => [`/${at}`, `203.0.113.${at}`]).sort(),
    );
  });
});

it('columns are decided separately: an address in a cookie beside X-Forwarded-For makes only its own line doubtful', () => {
  const usual = Array.from({ length: 20 }, () => line('/', ` "${CLIENT}" "session=abc"`));
  const odd = line('/odd', ` "${CLIENT}" "${ATTACK}"`);
  const lines = [odd, ...usual, line('/odd', ` "-" "${ATTACK}"`)];
  expect(new Set(take(lines.join('\n')).map(String))).toEqual(new Set([`/,${CLIENT}`, '/odd,10.0.0.1']));
});

it('lines that waited for others keep their numbers', () => {
  const late = line('/', ` "${CLIENT}"`).replace('2026', '1999');
  const { tally } = takeBody(Buffer.from([late, line('/', ' "203.0.113.5"')].join('\n')));
  expect(tally).toMatchObject({ parsed: 1, rejected: 1, errors: [{ line: 1 }] });
});
