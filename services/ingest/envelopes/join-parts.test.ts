import { expect, test } from 'vitest';
import { takeBody } from '../../../test/harness/ingest/take-body.js';
import { createPartJoiner } from './join-parts.js';

/** A line that a container runtime has cut becomes one line again for each carrier. */

const BEGINNING = '198.51.100.7 - - [14/Feb/2026:08:15:30 +0000] "GET /cut';
const END = ' HTTP/1.1" 200 5 "-" "x"';
/** The rest of a cut line is the client's text; here it looks like a line. */
const FORGED = `203.0.113.9${BEGINNING.slice(12)}${END}`;
/** As long as Docker's buffer, in bytes. */
const LONG = `${BEGINNING}?q=${'é'.repeat((16_384 - BEGINNING.length - 3) / 2)}`;
const other = BEGINNING.replace('/cut', '/other') + END;

const json = (...records: object[]) => records.map((record) => JSON.stringify(record)).join('\n');
const cri = (tag: string, text: string, stream = 'stdout') =>
  `2026-02-14T08:15:30.1Z ${stream} ${tag} ${text}`;

const carriers: readonly (readonly [string, string])[] = [
  ['CRI', [cri('P', BEGINNING), cri('F', END)].join('\n')],
  ['CRI, three parts', [cri('P', BEGINNING), cri('P', ''), cri('F', END)].join('\n')],
  [
    'CRI, beside another stream',
    [cri('P', BEGINNING), cri('P', 'x', 'stderr'), cri('F', END), cri('F', 'y', 'stderr')].join('\n'),
  ],
  [
    'CRI inside of a shipper',
    json({ log: cri('P', BEGINNING), file: 'a' }, { log: cri('F', END), file: 'a' }),
  ],
  ['a parser of CRI', json({ logtag: 'P', log: BEGINNING }, { logtag: 'F', log: END })],
  ['a newer parser of CRI', json({ _p: 'P', message: BEGINNING }, { _p: 'F', message: END })],
  ['a parser of CRI, cut at the end', json({ logtag: 'P', log: BEGINNING + END }, { logtag: 'F', log: '' })],
  ['Vector without merging', json({ _partial: true, message: BEGINNING }, { message: END })],
  [
    'Docker, containers in turns',
    json(
      { log: LONG, stream: 'stdout', container_id: 'a' },
      { log: `${other}\n`, stream: 'stdout', container_id: 'b' },
      { log: `${END}\n`, stream: 'stdout', container_id: 'a' },
    ),
  ],
  [
    'journald',
    json(
      {
        CONTAINER_PARTIAL_MESSAGE: 'true',
        CONTAINER_PARTIAL_ID: 'i',
        CONTAINER_PARTIAL_ORDINAL: '1',
        CONTAINER_PARTIAL_LAST: 'false',
        MESSAGE: BEGINNING,
      },
      {
        CONTAINER_PARTIAL_ID: 'i',
        CONTAINER_PARTIAL_ORDINAL: '2',
        CONTAINER_PARTIAL_LAST: 'true',
        MESSAGE: END,
      },
    ),
  ],
  [
    'journald of Podman',
    json(
      { CONTAINER_PARTIAL_MESSAGE: 'true', CONTAINER_ID: 'c', MESSAGE: BEGINNING },
      { CONTAINER_ID: 'c', MESSAGE: END },
    ),
  ],
  [
    'journald, in bytes',
    json(
      { CONTAINER_PARTIAL_MESSAGE: 'true', MESSAGE: [...Buffer.from(`${BEGINNING}\u00e9`).subarray(0, -1)] },
      { MESSAGE: [...Buffer.from('\u00e9').subarray(1), ...Buffer.from(END)] },
    ),
  ],
  [
    'Fluentd',
    json(
      {
        partial_message: 'true',
        partial_id: 'i',
        partial_ordinal: '1',
        partial_last: 'false',
        log: BEGINNING,
      },
      { log: other, container_id: 'b' },
      { partial_message: 'true', partial_id: 'i', partial_ordinal: '2', partial_last: 'true', log: END },
    ),
  ],
];

test.each(carriers)('%s: parts are one line', (_, body) => {
  for (const chunkBytes of [body.length * 2, 997]) {
    const { tally, requests } = takeBody(Buffer.from(body), { chunkBytes });
    const cut = requests.filter((request) => request.target.startsWith('/cut'));
    expect(cut.map((request) => request.client_ip)).toEqual(['198.51.100.7']);
    expect(cut[0]!.status).toBe(200);
    expect(tally.rejected).toBe(body.includes('stderr') ? 1 : 0);
    expect(requests).toHaveLength(body.includes('/other') ? 2 : 1);
  }
});

test.each([
  ['CRI', [cri('P', BEGINNING), cri('F', `${FORGED}${END}`)].join('\n')],
  ['a parser of CRI', json({ logtag: 'P', log: BEGINNING }, { logtag: 'F', log: `${FORGED}${END}` })],
  [
    'journald without a beginning',
    json({
      CONTAINER_PARTIAL_ID: 'i',
      CONTAINER_PARTIAL_ORDINAL: '2',
      CONTAINER_PARTIAL_LAST: 'true',
      MESSAGE: FORGED,
    }),
  ],
  [
    'Fluentd without a beginning',
    json({ partial_message: 'true', partial_ordinal: '3', partial_last: 'true', log: FORGED }),
  ],
  [
    'a line that is too long',
    [cri('P', 'a'.repeat(150_000)), cri('P', 'a'.repeat(150_000)), cri('F', FORGED)].join('\n'),
  ],
])('%s: the rest of a line is no line of its own', (_, body) => {
  const { requests } = takeBody(Buffer.from(body));
  expect(requests.filter((request) => request.client_ip === '203.0.113.9')).toEqual([]);
});

test.each([
  ['CRI', cri('P', BEGINNING)],
  ['Fluentd', json({ partial_message: 'true', log: BEGINNING })],
])('%s: a line without its end is rejected once', (_, body) => {
  const { tally } = takeBody(Buffer.from(body));
  expect(tally.errors).toEqual([{ line: 1, reason: 'a part of a line whose end is not in this upload' }]);
});

const numbered = (ordinal: number, last: number, text: string) => ({
  partial_message: 'true',
  partial_id: 'i',
  partial_ordinal: String(ordinal),
  partial_last: String(ordinal === last),
  log: text,
});

test.each([
  ['the first', [2, 3, 4]],
  ['the first two', [3, 4]],
  ['the second', [1, 3, 4]],
  ['the third', [1, 2, 4]],
  ['the last', [1, 2, 3]],
  ['the first and the third', [2, 4]],
  ['the first and the last', [2, 3]],
  ['the second and the last', [1, 3]],
  ['all but the last', [4]],
])('a line without %s of its parts is rejected once', (_, ordinals) => {
  const records = ordinals.map((ordinal) => numbered(ordinal, 4, ordinal === 1 ? BEGINNING : FORGED));
  const { tally, requests } = takeBody(Buffer.from(json(...records, { log: other, container_id: 'b' })));
  expect(requests.map(({ target }) => target)).toEqual(['/other']);
  expect([tally.rejected, tally.skipped]).toEqual([1, 0]);
});

test.each([1_002, 1_500, 3_000])('each of %d lines in parts at once is in one count', (count) => {
  const streams = Array.from({ length: count }, (_, at) => `s${at}`);
  const body = json(
    ...streams.map((tag) => ({ logtag: 'P', log: BEGINNING, tag })),
    ...streams.flatMap((tag) => [
      { logtag: 'F', log: FORGED, tag },
      { logtag: 'F', log: other, tag },
    ]),
  );
  const { tally, requests } = takeBody(Buffer.from(body));
  expect(requests.filter(({ client_ip }) => client_ip === '203.0.113.9')).toEqual([]);
  expect([tally.parsed, tally.rejected, tally.skipped]).toEqual([count + 1_000, count - 1_000, 0]);
});

test('the rest of an evicted line is not a line', () => {
  const tag = 't'.repeat(190);
  const streams = Array.from({ length: 20_000 }, (_, at) => `${tag}${at}`);
  const body = json(
    ...streams.map((name) => ({ logtag: 'P', log: BEGINNING, tag: name })),
    ...streams.map((name) => ({ logtag: 'F', log: FORGED, tag: name })),
  );
  const { requests } = takeBody(Buffer.from(body));
  expect(requests.filter(({ client_ip }) => client_ip === '203.0.113.9')).toEqual([]);
  expect(requests).toHaveLength(1_000);
});

test('a whole line of the length of Docker’s buffer, without a line end, is a line', () => {
  const line = `${BEGINNING}?q=${'y'.repeat(16_384 - BEGINNING.length - END.length - 3)}${END}`;
  for (const body of [
    json({ log: line }, { log: other }),
    json({ log: line }, { log: line }),
    json({ log: line }),
  ]) {
    const { tally, requests } = takeBody(Buffer.from(body));
    expect(requests).toHaveLength(body.split('\n').length);
    expect(tally.rejected).toBe(0);
  }
});

test('memory for parts is bounded', () => {
  const joiner = createPartJoiner(1_000);
  const part = (key: string, text: string) =>
    joiner.join({ key, text, isLast: false, ordinal: 0, isMarked: true });
  let refused = 0;
  for (let key = 0; key < 5_000; key++) refused += part(String(key), 'x'.repeat(100)).length;
  expect(refused).toBeGreaterThanOrEqual(4_920);
  expect(joiner.end().length).toBeLessThanOrEqual(80);
  expect(joiner.isWaiting).toBe(false);
});
