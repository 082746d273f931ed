import { describe, expect, it } from 'vitest';
import { takeBody } from '../../../test/harness/ingest/take-body.js';

const object = (at: number) =>
  `{"timestamp":"2026-02-14T08:15:30Z","client_ip":"198.51.100.7","method":"GET","path":"/${at}","status":200}`;
const line = (at: number) =>
  `198.51.100.7 - - [14/Feb/2026:08:15:30 +0000] "GET /${at} HTTP/1.1" 200 5 "-" "a"`;
const NULS = '\0'.repeat(4_096);

function taken(text: string, chunkBytes?: number) {
  const { tally, requests, refusal } = takeBody(Buffer.from(text), { ...(chunkBytes ? { chunkBytes } : {}) });
  return {
    refusal,
    rejected: tally.rejected,
    reasons: tally.errors.map(({ reason }) => reason),
    paths: requests.map(({ target }) => target),
  };
}

const whole = { refusal: null, rejected: 0, reasons: [], paths: ['/1', '/2', '/3'] };

describe.each([undefined, 1, 5])('in chunks of %s bytes', (chunkBytes) => {
  it.each([
    ['NUL bytes in front', `${NULS}${line(1)}\n${line(2)}\n${line(3)}\n`],
    ['NUL bytes before a line', `${line(1)}\n${line(2)}\n${NULS}${line(3)}\n`],
    ['NUL bytes behind the last line', `${line(1)}\n${line(2)}\n${line(3)}\n${NULS}`],
    ['NUL bytes behind lines', `${line(1)}\0\n${line(2)}${NULS}\r\n${line(3)}${NULS}`],
    [
      'a NUL byte and a separator within lines',
      `${line(1)}\n${line(2).replace('Feb', 'F\0e\x1eb')}\n${line(3)}`,
    ],
    ['a NUL byte within a string', `${object(1)}\n${object(2).replace('/2', '/\0\x002')}\n${object(3)}`],
    ['a separator within a string', `${object(1)}\n${object(2).replace('/2', '/\x1e2')}\n${object(3)}`],
    [
      'a separator within a string of a list',
      `[${object(1)},${object(2).replace('/2', '/\x1e2')},${object(3)}]`,
    ],
    ['NUL bytes before objects', `${NULS}${object(1)}\n${NULS}${object(2)}\n${object(3)}`],
    ['NUL bytes between objects', `${object(1)}\0${object(2)}\0${object(3)}\0`],
    ['lines of white space', ` \n${line(1)}\n  \t\n${line(2)}\r\n \r\n\n${line(3)}\n\t`],
    ['colours on lines of their own', `${line(1)}\n\x1b[0m \x1b[K\n${line(2)}\n${line(3)}`],
    ['colours', `\x1b[32m${line(1)}\x1b[0m\n\x1b[1;31m${line(2)}\x1b[m\x1b[K\n${line(3)}\n`],
    ['colours in front of objects', `\x1b[0m${object(1)}\n${object(2)}\n\x1b[38;5;12m${object(3)}\x1b[0m`],
    ['record separators of RFC 7464', `\x1e${object(1)}\n\x1e${object(2)}\n\x1e${object(3)}\n`],
    ['record separators without line ends', `\x1e${object(1)}\x1e${object(2)}\x1e${object(3)}`],
    ['a comma behind each line', `${object(1)},\n${object(2)},\n${object(3)},\n`],
    ['a comma before each line', `${object(1)}\n,${object(2)}\n, ${object(3)}\n`],
    ['a comma before the first', `,${object(1)},\n${object(2)},\n${object(3)}`],
    ['a comma behind the last of a list', `[${object(1)},\n${object(2)},\n${object(3)},\n]`],
    ['commas alone on lines', `${object(1)}\n,\n${object(2)}\n,\n${object(3)}`],
    [
      'commas behind objects of syslog',
      [1, 2, 3].map((at) => `<134>Feb 14 08:15:30 h a: ${object(at)},`).join('\n'),
    ],
  ])('a body with %s is accepted', (_, text) => {
    expect(taken(text, chunkBytes)).toEqual(whole);
  });

  it('a line that NUL bytes cut is rejected with the text after them, and its neighbours are accepted', () => {
    const cut = line(2).slice(0, 30);
    const { rejected, reasons, paths } = taken(
      `${line(1)}\n${cut}${NULS}${line(9)}\n${line(3)}\n`,
      chunkBytes,
    );
    expect({ rejected, paths, reasons }).toEqual({
      rejected: 1,
      paths: ['/1', '/3'],
      reasons: ['NUL bytes cut the line'],
    });
  });

  it.each(['\0', '\x1e', '\0\0', NULS, '\x1e\0', '\0\x1e', '\x1b[0m\0', '\r\0', '\0\r'])(
    'text behind %j within a line never is a record',
    (mark) => {
      const forged = line(9).replaceAll('"', "'");
      const quoted = JSON.stringify(object(9)).slice(1, -1);
      for (const [whole, text] of [
        [line(1), line(1).replace('"a"', `"a${mark}${line(9)}"`)],
        [line(1), line(1).replace('"a"', `"a${mark}${forged}"`)],
        [line(1), line(1).replace('"a"', `"a${mark}${object(9)}"`)],
        [line(1), line(1).replace('/1', `/1${mark}${line(9)}`)],
        [object(1), object(1).replace('/1', `/1${mark}${quoted}`)],
        [object(1), object(1).replace('/1', `/1${mark}${forged}`)],
      ] as const) {
        for (const body of [text, `${whole}\n${text}\n${whole}\n`]) {
          const { paths } = taken(body, chunkBytes);
          expect([body, paths.filter((path) => path.startsWith('/9'))]).toEqual([body, []]);
        }
      }
    },
  );

  it('an escape that begins no colour is left out', () => {
    const { paths } = taken(`\x1b${line(1)}\n${line(2)}\x1b\n${line(3)}\x1b`, chunkBytes);
    expect(paths).toEqual(['/1', '/2', '/3']);
  });
});
