import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Steps } from '../../pacing/turns.js';
import { compareInEngine, greatestOf } from './ranking.js';

const byBytes = (one: string, other: string) => Buffer.compare(Buffer.from(one), Buffer.from(other));
const order = (names: readonly string[]) => (one: number, other: number) =>
  compareInEngine('path', names[one]!, names[other]!);

function finish<Result>(steps: Steps<Result>, onPause = () => {}): Result {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
    onPause();
  }
}

test('texts are in the order of their bytes in UTF-8', () => {
  const text = fc.string({ unit: fc.constantFrom('a', 'é', '\u{d7ff}', '\u{e000}', '\u{ffff}', '😀', '/') });
  fc.assert(
    fc.property(text, text, (one, other) => {
      expect(Math.sign(compareInEngine('path', one, other))).toBe(Math.sign(byBytes(one, other)));
    }),
  );
});

test('addresses are in the order of their bytes, IPv4 in mapped form', () => {
  const sorted = [
    '::1',
    '9.0.0.1',
    '10.0.0.0',
    '10.0.0.10',
    '200.255.0.9',
    '64:ff9b::1',
    '2001:db8::2',
    '2001:db8::10',
  ];
  const compare = (one: string, other: string) => compareInEngine('client_ip', one, other);
  expect(sorted.toReversed().sort(compare)).toEqual(sorted);
  expect(compareInEngine('network', '9.9.9.0/24', '10.0.0.0/24')).toBeLessThan(0);
});

test('the greatest values come first, and names decide between equal ones', () => {
  const row = fc.record({
    value: fc.constantFrom(0, 1, 2, 3, Number.NaN),
    name: fc.string({ maxLength: 3 }),
  });
  fc.assert(
    fc.property(fc.array(row), fc.integer({ min: 1, max: 9 }), (rows, most) => {
      const names = order(rows.map(({ name }) => name));
      const values = Float64Array.from(rows, ({ value }) => value);
      const expected = [...rows.keys()]
        .filter((at) => !Number.isNaN(values[at]))
        .sort((one, other) => values[other]! - values[one]! || names(one, other))
        .slice(0, most);
      const found = finish(greatestOf(values, most, names));
      expect(found.map((at) => rows[at])).toEqual(expected.map((at) => rows[at]));
    }),
  );
});

test('many equal values are compared in steps', () => {
  const names = Array.from({ length: 2_000 }, (_, index) => `${'a'.repeat(8_000)}${9_999 - index}`);
  let compared = 0;
  let mostCompared = 0;
  const counting = (one: number, other: number) => {
    compared += 1;
    mostCompared = Math.max(mostCompared, compared);
    return order(names)(one, other);
  };
  const found = finish(greatestOf(new Float64Array(names.length).fill(1), 20, counting), () => {
    compared = 0;
  });
  expect(found).toEqual(Array.from({ length: 20 }, (_, index) => 1_999 - index));
  expect(mostCompared).toBeLessThan(2_000);
});
