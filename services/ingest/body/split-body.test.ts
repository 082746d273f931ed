import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type BodyHandler, createBodySplitter } from './split-body.js';

const MAX = 200;

interface Seen {
  readonly records: unknown[];
  readonly lines: [number, string][];
  readonly invalid: [number, string][];
}

function split(chunks: readonly Buffer[], maxLineBytes = MAX): Seen {
  const seen: Seen = { records: [], lines: [], invalid: [] };
  const handler: BodyHandler = {
    onRecord: (record) => void seen.records.push(record),
    onLine: (line, number) => void seen.lines.push([number, line]),
    onInvalid: (number, reason) => void seen.invalid.push([number, reason]),
  };
  const splitter = createBodySplitter({ maxLineBytes, shape: null }, handler);
  for (const chunk of chunks) splitter.onChunk(chunk);
  splitter.onEnd();
  return seen;
}

const whole = (body: string, max = MAX) => split([Buffer.from(body)], max);

/** Cuts the bytes at the given shares of their length, also within characters. */
function cutAt(body: string, shares: readonly number[]): Buffer[] {
  const bytes = Buffer.from(body);
  const places = shares.map((share) => Math.floor(share * bytes.length)).sort((a, b) => a - b);
  return [0, ...places].map((from, index) => bytes.subarray(from, places[index] ?? bytes.length));
}

const text = fc.string({ unit: 'binary', maxLength: 12 });
const item = fc
  .record({ a: text, b: fc.oneof(fc.integer(), text, fc.constant(null), fc.array(text, { maxLength: 3 })) })
  .map((value) => value as { a: string; b: unknown });
const items = fc.array(item, { minLength: 1, maxLength: 12 });
const shares = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 12 });
const space = fc.constantFrom('', ' ', '\n', '\r\n  ', '\t');

const bodies: readonly [string, (values: readonly unknown[], gap: string) => string][] = [
  ['one object a line', (values) => values.map((value) => JSON.stringify(value)).join('\n')],
  ['lines ended by CR LF', (values) => values.map((value) => `${JSON.stringify(value)}\r\n`).join('')],
  ['objects one after the other', (values, gap) => values.map((value) => JSON.stringify(value)).join(gap)],
  ['indented objects', (values) => values.map((value) => JSON.stringify(value, null, 2)).join('\n')],
  [
    'an array',
    (values, gap) => `[${gap}${values.map((value) => JSON.stringify(value)).join(`,${gap}`)}${gap}]`,
  ],
  ['an indented array', (values) => JSON.stringify(values, null, 2)],
  ['a list by name', (values, gap) => `{${gap}"events"${gap}:${gap}${JSON.stringify(values)},"count":1}`],
  ['arrays on lines', (values) => values.map((value) => JSON.stringify([value])).join('\n')],
];

describe.each(bodies)('JSON as %s', (_, write) => {
  it('gives the same records for any chunks', () => {
    fc.assert(
      fc.property(items, space, shares, (values, gap, places) => {
        const body = write(values, gap);
        const seen = split(cutAt(body, places), 1_000_000);
        expect(seen.records).toEqual(JSON.parse(JSON.stringify(values)));
        expect(seen.invalid).toEqual([]);
      }),
    );
  });
});

describe('lines of text', () => {
  /** Characters that strip-controls.ts removes. */
  const controls = ['\0', '\x1b', '\x1e'];
  const line = fc
    .string({ unit: 'binary', maxLength: 20 })
    .map(
      (value) => `x${[...value.replace(/[\r\n]/g, '')].filter((one) => !controls.includes(one)).join('')}`,
    );

  it('are complete and numbered for any chunks; blank lines count and are left out', () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(line, fc.constant(''))), shares, (lines, places) => {
        const expected = lines.map((value, index) => [index + 1, value]).filter(([, value]) => value !== '');
        const body = lines.join('\n');
        const seen = split(cutAt(body, places));
        expect(seen.lines).toEqual(
          expected.map(([number, value]) => [number, toWellFormed(value as string)]),
        );
        expect(split([Buffer.from(lines.map((value) => `${value}\r\n`).join(''))]).lines).toEqual(seen.lines);
      }),
    );
  });

  /** Replaces lone surrogates as UTF-8 does. */
  const toWellFormed = (value: string) => Buffer.from(value).toString();

  it('are distinguished from an array by the character after the bracket', () => {
    expect(whole('[14/Feb/2026:08:15:30 +0000] 1').lines).toHaveLength(1);
    expect(whole('[{"a":1}]').records).toEqual([{ a: 1 }]);
    expect(whole('[').invalid).toEqual([]);
  });

  it('may begin with a byte order mark, also in pieces', () => {
    expect(whole('\uFEFFone\ntwo').lines).toEqual([
      [1, 'one'],
      [2, 'two'],
    ]);
    const bytes = [...Buffer.from('\uFEFF{"a":1}')].map((byte) => Buffer.from([byte]));
    expect(split(bytes).records).toEqual([{ a: 1 }]);
  });
});

describe('a part that is too long', () => {
  const long = 'x'.repeat(MAX);
  const tooLong = `longer than ${MAX} bytes`;

  it.each([
    ['a line', `a\n${long}y\nc`, [2, tooLong]],
    ['a line in bytes, not characters', `a\n${'é'.repeat(MAX / 2)}y\nc`, [2, tooLong]],
    ['a JSON line', `{"a":1}\n{"a":"${long}"}\n{"a":3}`, [2, tooLong]],
    ['an item of an array', `[{"a":1},{"a":"${long}"},{"a":3}]`, [2, tooLong]],
  ])('costs only itself: %s', (_, body, expected) => {
    for (const seen of [whole(body), split([...Buffer.from(body)].map((byte) => Buffer.from([byte])))]) {
      expect(seen.invalid).toEqual([expected]);
      expect(seen.records.length + seen.lines.length).toBe(2);
    }
  });

  it('is rejected only above the limit: a line of exactly the limit passes', () => {
    expect(whole(`${long}\n`).lines).toEqual([[1, long]]);
    expect(split([Buffer.from(long)]).lines).toEqual([[1, long]]);
  });

  it('is never a body of many records on one line', () => {
    const many = Array.from({ length: 100 }, (_, a) => ({ a }));
    for (const body of [
      JSON.stringify(many),
      JSON.stringify({ logs: many }),
      many.map((value) => JSON.stringify(value)).join(''),
    ]) {
      expect(whole(body).records).toEqual(many);
    }
  });
});

describe('broken JSON', () => {
  it('costs only its line, for any lost bytes of one line', () => {
    fc.assert(
      fc.property(items, fc.nat(), fc.nat(), (values, which, where) => {
        const lines = values.map((value) => JSON.stringify(value));
        const at = which % lines.length;
        // At least the closing brace is lost, at most all but the first two characters.
        lines[at] = lines[at]!.slice(0, 2 + (where % (lines[at]!.length - 2)));
        const seen = whole(lines.join('\n'), 1_000_000);
        const kept = values.filter((_, index) => index !== at);
        expect(seen.invalid).toHaveLength(1);
        expect(seen.invalid[0]![0]).toBe(at + 1);
        expect(seen.records).toEqual(JSON.parse(JSON.stringify(kept)));
      }),
    );
  });

  it('at the end of the body is counted', () => {
    expect(whole('[{"a":1},{"a":').invalid).toEqual([[2, expect.stringContaining('ends inside')]]);
    expect(whole('{"a":1').invalid).toHaveLength(1);
  });

  it('counts values that are not objects', () => {
    expect(whole('["one, too",2,{"a":1},null]')).toMatchObject({
      records: [{ a: 1 }],
      invalid: [
        [1, expect.any(String)],
        [2, expect.any(String)],
        [4, expect.any(String)],
      ],
    });
  });
});
