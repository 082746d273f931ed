import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestApi, type TestAnswer, type TestApi, uncounted } from '../harness/api.js';
import { startTestClickHouse, type TestClickHouse } from '../harness/clickhouse.js';
import { trafficOf } from '../harness/contract-traffic.js';
import { isNightly } from '../harness/runs.js';
import { insertStored } from '../harness/stored-requests.js';
import { connectStripe, type StripeServer, startStripeServer } from '../harness/stripe-server.js';
import { addressOf, type Described, described, exampleOf, named, resolve } from './described.js';

/** No input of a caller causes a 500: it is refused or answered. Runs on a real engine, which has its own limits. */

let engine: TestClickHouse;
let stripe: StripeServer;
let test: TestApi;

beforeAll(async () => {
  engine = await startTestClickHouse();
  stripe = await startStripeServer();
  test = await createTestApi({
    clickhouse: engine.clickhouse,
    usage: uncounted,
    payments: connectStripe(stripe),
  });
  await insertStored(engine.clickhouse, trafficOf(test.website.id), { deduplicationToken: 'shop' });
});
afterAll(async () => {
  await stripe?.stop();
  await engine?.stop();
});

const inherited = ['constructor', '__proto__', 'toString', 'hasOwnProperty', 'valueOf', 'prototype'];
const numbers = [
  ...['0', '-0', '-1', '1', '00', '1e3', '1.5', '0x1f', '９', 'NaN', 'Infinity', '2147483648', '4294967296'],
  ...['9007199254740991', '9007199254740992', '-9007199254740991', '999999999999999', '18446744073709551616'],
];
const dates = [
  ...[
    '0000-01-01',
    '0001-01-01',
    '1899-12-31',
    '1969-12-31',
    '2106-02-08',
    '2149-06-07',
    '2299-12-31',
    '9999-12-31',
  ],
  ...[
    '2026-02-30',
    '2026-11-21T25:00:00Z',
    '9999-12-31T23:59:59.999999999Z',
    '2026-11-21T00:00:00+99:99',
    '+275760-09-13',
  ],
];
const texts = [
  ...[
    '',
    ' ',
    '\0',
    'a\0b',
    "'",
    "\\'",
    '"; DROP TABLE requests; --',
    '{x: String}',
    '{',
    '\\',
    '%',
    '%00',
    '%zz',
    '../..',
  ],
  ...[
    '\ud800',
    '\u202e',
    '😀',
    'ü'.repeat(60),
    'x'.repeat(3_000),
    '(',
    '[',
    '*',
    '::',
    '1.2.3',
    'fe80::1%eth0',
    ','.repeat(900),
  ],
];

const cursorOf = (parts: unknown) => Buffer.from(JSON.stringify(parts)).toString('base64url');
const cursors = [
  cursorOf([0, 0, 0, 0, 0, 2 ** 53 - 1, 'x']),
  cursorOf({ __proto__: 1 }),
  cursorOf(null),
  Buffer.from('['.repeat(290)).toString('base64url'),
];

const hostileText = fc.constantFrom(...inherited, ...numbers, ...dates, ...texts, ...cursors);

const deep = (depth: number) => JSON.parse(`${'['.repeat(depth)}${']'.repeat(depth)}`);
const hostileJson = fc.oneof(
  hostileText,
  fc.constantFrom<unknown>(null, true, 0, -1, 1.5, 1e308, -(2 ** 53), 2 ** 31, [], {}, [null], deep(60)),
  hostileText.map((name) => ({ [name]: name })),
  fc.array(hostileText, { maxLength: 3 }),
  fc
    .constantFrom<unknown>('[ab]a[ab]{900}c', '(((a{30}){30}){30})', '('.repeat(900), '\\p{', 'a{1000}')
    .map((value) => [{ type: 'regex', value }]),
  hostileText.map((type) => [{ type, value: 'x' }]),
  hostileText.chain((value) =>
    fc.constantFrom('regex', 'prefix', 'exact', 'contains', 'query').map((type) => [{ type, value }]),
  ),
);

function expectOwnFault(answer: TestAnswer, what: unknown): void {
  const shown = JSON.stringify(what)?.slice(0, 600);
  expect(answer.status, `${shown}: ${answer.text.slice(0, 300)}`).toBeLessThan(500);
  if (answer.status < 400) return;
  expect(typeof answer.body?.detail, shown).toBe('string');
  expect(answer.body.detail.length, shown).toBeGreaterThan(10);
}

const namesIn = (one: Described, place: string) =>
  one.parameters.filter((parameter) => parameter.in === place).map(({ name }) => name as string);

/** Some of the names, each with a hostile value. */
const someOf = <T>(names: readonly string[], value: fc.Arbitrary<T>): fc.Arbitrary<Record<string, T>> =>
  names.length === 0
    ? fc.constant({})
    : fc
        .array(fc.tuple(fc.constantFrom(...names), value), { maxLength: 3 })
        .map((entries) => Object.fromEntries(entries));

describe.each(named)('%s', (_id, one) => {
  it('refuses hostile parameters, paths and bodies with a reason', async () => {
    const fields = one.body === null ? [] : Object.keys(resolve(one.body).properties ?? {});
    const paths = namesIn(one, 'path').filter((name) => name !== 'website_id');
    const calls = fc.record({
      path: someOf(
        paths,
        hostileText.filter((text) => text !== '' && Buffer.from(text).toString() === text),
      ),
      query: someOf([...namesIn(one, 'query'), ...inherited], hostileText),
      body: someOf([...fields, ...fields, ...inherited], hostileJson),
    });
    await fc.assert(
      fc.asyncProperty(calls, async ({ path, query, body }) => {
        const search = new URLSearchParams(query).toString();
        const address = addressOf(one, { website_id: test.website.id, ...path }, search);
        const answer = await test.request(address, {
          method: one.method,
          ...(one.body === null ? {} : { body: { ...(exampleOf(one.body) as object), ...body } }),
        });
        expectOwnFault(answer, { path, query, body });
      }),
      { numRuns: isNightly ? 40 : 5 },
    );
  }, 120_000);
});

describe('a call that answered 500 in the past', () => {
  const requests = (query: string) => test.read(`/requests?${query}`);

  it.each(inherited)('is_bot=%s is no boolean', async (name) => {
    const answer = await requests(`is_bot=${name}`);
    expect(answer.status).toBe(400);
    expect(answer.body.detail).toMatch(/^is_bot: expected true or false/);
  });

  it.each([
    ['of 100 years', (end: number) => end - 100 * 366 * 86_400_000, (end: number) => end],
    ['up to 2^53', () => 0, () => 2 ** 53 - 1],
    ['that ends before it starts', (end: number) => end, (end: number) => end - 1],
    ['before all time', () => -(2 ** 53) + 1, () => -(2 ** 53) + 2],
  ])('refuses a cursor with a window %s', async (_what, start, end) => {
    const first = await requests('limit=1');
    const parts = JSON.parse(Buffer.from(first.body.next_cursor, 'base64url').toString());
    const at = parts[5];
    parts[4] = start(at);
    parts[5] = end(at);
    const answer = await requests(`limit=1&cursor=${cursorOf(parts)}`);
    expect(answer.status).toBe(400);
    expect(answer.body.detail).toMatch(/^cursor: /);
  });

  it('refuses a cursor with a time beyond the range of the store', async () => {
    const first = await requests('limit=1');
    for (const timestamp of [2 ** 53 - 1, -(2 ** 53) + 1]) {
      const parts = JSON.parse(Buffer.from(first.body.next_cursor, 'base64url').toString());
      parts[0] = timestamp;
      expect((await requests(`limit=1&cursor=${cursorOf(parts)}`)).status).toBe(400);
    }
  });

  const withBody = described.filter(({ body }) => body !== null).map((one) => [one.id, one] as const);

  it.each(withBody)('%s refuses a body nested 100,000 deep', async (_id, one) => {
    for (const [open, close] of [
      ['[', ']'],
      ['{"a":', '}'],
    ] as const) {
      const depth = open === '[' ? 100_000 : 40_000;
      const nested = `${open.repeat(depth)}1${close.repeat(depth)}`;
      const fields = one.body === null ? [] : Object.keys(resolve(one.body).properties ?? {});
      for (const body of [nested, ...fields.slice(0, 2).map((name) => `{"${name}":${nested}}`)]) {
        const answer = await test.api.request(addressOf(one, { website_id: test.website.id }), {
          method: one.method,
          body,
          headers: { authorization: `Bearer ${test.keys.readWrite}`, 'content-type': 'application/json' },
        });
        expect(answer.status).toBe(400);
        expect(((await answer.json()) as { detail: string }).detail).toMatch(/nested/);
      }
    }
  });
});
