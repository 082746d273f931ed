import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { startTestClickHouse, type TestClickHouse } from '../../../test/harness/clickhouse.js';
import { inSegment } from '../../../test/harness/in-segment.js';
import { runs } from '../../../test/harness/runs.js';
import type { SegmentRule } from '../../control/domain/model.js';
import { normalSpelling } from '../../urls/normal-spelling.js';
import { type SegmentRules, segmentClause } from './segment-conditions.js';

let engine: TestClickHouse;
beforeAll(async () => {
  engine = await startTestClickHouse();
});
afterAll(() => engine?.stop());

interface Texts {
  readonly path: string;
  readonly query: string;
}

const matches = z
  .object({ matches: z.array(z.number()) })
  .transform((row) => row.matches.map((held) => held === 1));

/** The segments of each request, computed by the engine. */
function ask(segments: readonly SegmentRules[], requests: readonly Texts[]): Promise<boolean[][]> {
  const clauses = segments.map((segment, index) => segmentClause(segment, `segment_${index}`));
  return engine.clickhouse.read({
    name: 'test',
    sql: `SELECT [${clauses.map(({ sql }) => `toUInt8(${sql})`).join(', ')}] AS matches
FROM (
  SELECT place, {paths: Array(String)}[place] AS path, {queries: Array(String)}[place] AS query
  FROM (SELECT arrayJoin(range(1, length({paths: Array(String)}) + 1)) AS place)
) AS r
ORDER BY r.place`,
    params: {
      ...Object.assign({}, ...clauses.map(({ params }) => params)),
      paths: requests.map(({ path }) => path),
      queries: requests.map(({ query }) => query),
    },
    row: matches as unknown as z.ZodType<boolean[]>,
  });
}

const expected = (segments: readonly SegmentRules[], requests: readonly Texts[]) =>
  requests.map((request) => segments.map((segment) => inSegment(segment, request)));

/** Few unusual characters, so that rules often match: those that could break SQL, LIKE, regexes or parameter encoding. */
const characters = [
  ...['a', 'A', 'b', '/', '-', '1', '&', '=', '?', '.', '*', '|', '(', ')', '[', ']', '{', '}', '^', '$'],
  ...[
    '%',
    '_',
    "'",
    '"',
    '`',
    '\\',
    '\n',
    '\r',
    '\t',
    '\0',
    ' ',
    ',',
    ':',
    'ü',
    'u\u0308',
    '漢',
    '😀',
    '\u2028',
  ],
];
const text = (minLength: number, maxLength: number) =>
  fc.string({ unit: fc.constantFrom(...characters), minLength, maxLength });

const escaped = (literal: string) => literal.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');

/** Patterns with the same meaning in RE2 and in JavaScript with the flags s and u. */
const { pattern } = fc.letrec<{ pattern: string; part: string; atom: string }>((tie) => ({
  pattern: fc
    .array(tie('part'), { minLength: 1, maxLength: 3 })
    .map((alternatives) => alternatives.join('|')),
  part: fc
    .array(
      fc
        .tuple(tie('atom'), fc.constantFrom('', '', '', '*', '+', '?', '*?', '{0,2}', '{2}'))
        .map(([atom, times]) => `(?:${atom})${times}`),
      { minLength: 1, maxLength: 3 },
    )
    .map((atoms) => atoms.join('')),
  atom: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    text(1, 2).map(escaped),
    fc.constantFrom('.', '^', '$', '[a-z]', '[^a-z/]', '[/%]', '[0-9]', '\\.'),
    tie('pattern'),
  ),
}));

const rule = fc.oneof(
  fc.record({
    type: fc.constantFrom<SegmentRule['type']>('prefix', 'contains', 'exact', 'query'),
    value: text(1, 3),
  }),
  fc.record({ type: fc.constant<SegmentRule['type']>('regex'), value: pattern }),
);
const segment = fc.record({
  rules: fc.array(rule, { minLength: 1, maxLength: 6 }),
  excludeRules: fc.array(rule, { maxLength: 3 }),
});
/** Short, because a JavaScript regex can take exponential time in its text. */
const stored = text(0, 8)
  .map(normalSpelling)
  .filter(({ length }) => length <= 12);
const request = fc.record({ path: stored, query: stored });

test('the engine evaluates a segment as its rules state, for any texts', {
  timeout: 300_000,
}, async () => {
  let held = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.array(segment, { minLength: 1, maxLength: 4 }),
      fc.array(request, { minLength: 1, maxLength: 30 }),
      async (segments, requests) => {
        const found = await ask(segments, requests);
        expect(found).toEqual(expected(segments, requests));
        held += found.flat().filter(Boolean).length;
      },
    ),
    { numRuns: runs(250) },
  );
  expect(held).toBeGreaterThan(2 * runs(250));
});

test('a rule matches paths and query strings in any percent-encoding', async () => {
  const one = (type: SegmentRule['type'], value: string): SegmentRules => ({
    rules: [{ type, value }],
    excludeRules: [],
  });
  const requests = [{ path: '/caf%C3%A9/~a', query: 'q=%D0%BF' }];
  const rules = [
    ...[one('prefix', '/caf%c3%a9'), one('prefix', '/café'), one('contains', 'é/%7E')],
    ...[one('exact', '/caf%C3%A9/%7ea'), one('query', '&q=%d0%bf'), one('query', '&q=п')],
    ...[one('regex', '^/café/.a$'), one('regex', 'caf%c3%a9'), one('prefix', '/caf%E9')],
  ];
  expect(await ask(rules, requests)).toEqual([[...Array(8).fill(true), false]]);
});

test.each([
  [' ', '/a%20b'],
  ['a b', '/a%20b'],
  ['\\s', '/a%20b'],
  ['\\x20', '/a%20b'],
  ['[[:space:]]', '/a%20b'],
  ['"', '/%22a%22'],
  ['[<>]', '/%3Ca'],
  ['^/[a-zé]+$', '/caf%C3%A9'],
  ['caf[^/]$', '/caf%C3%A9'],
  ['^/\\p{Cyrillic}+$', '/%D0%BF%D1%80'],
  ['\\x{43f}', '/%D0%BF%D1%80'],
  ['\\Qпр\\E', '/%D0%BF%D1%80'],
  ['(%[a-f0-9]{2}){4}', '/%D0%BF%D1%80'],
  ['%[d][0-9]', '/%D0%BF'],
  ['^/caf%c3%a9$', '/caf%C3%A9'],
  ['\\{id\\}', '/%7Bid%7D'],
])('the regex %s matches %s', async (value, path) => {
  const segment: SegmentRules = { rules: [{ type: 'regex', value }], excludeRules: [] };
  expect(
    await ask(
      [segment],
      [
        { path, query: '' },
        { path: '/plain-1', query: '' },
      ],
    ),
  ).toEqual([[true], [false]]);
});

test('every rule is compared with its own text by its own type', async () => {
  const one = (type: SegmentRule['type'], value: string): SegmentRules => ({
    rules: [{ type, value }],
    excludeRules: [],
  });
  const requests = [
    { path: '/shop/shoes', query: 'page=2' },
    { path: '/Shop', query: 'sort=price&page=2' },
    { path: '/page=', query: 'homepage=1' },
    { path: '/', query: '' },
  ];
  const found = await ask(
    [
      one('prefix', '/shop'),
      one('contains', 'hop'),
      one('exact', '/'),
      one('regex', 's$'),
      one('query', '&page='),
      one('query', '='),
    ],
    requests,
  );
  expect(found).toEqual([
    [true, true, false, true, true, true],
    [false, true, false, false, true, true],
    [false, false, false, false, false, true],
    [false, false, true, false, false, false],
  ]);
});

test.each(['漢', '\\', "'", '%', '\n'])(
  'the largest segment of %j still fits into a statement',
  async (part) => {
    // An encoded rule has at most the same length.
    const value = part.repeat(Math.floor(1000 / normalSpelling(part).length));
    const types = ['prefix', 'contains', 'exact', 'query', 'regex'] as const;
    const rules = Array.from({ length: 30 }, (_, index) => ({
      type: types[index % (part === '\\' ? 4 : 5)]!,
      value: value.slice(index),
    }));
    const largest = {
      rules,
      excludeRules: rules.map((each) => ({ ...each, value: `-${each.value.slice(1)}` })),
    };
    const requests = [
      { path: normalSpelling(value), query: '' },
      { path: normalSpelling(`-${value}`), query: '' },
      { path: '/', query: normalSpelling(value) },
    ];
    expect(await ask([largest], requests)).toEqual(expected([largest], requests));
  },
);
