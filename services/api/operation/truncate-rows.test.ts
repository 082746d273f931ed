import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { truncateRows } from './truncate-rows.js';

const answers = fc.dictionary(
  fc.stringMatching(/^[a-z]{1,6}$/),
  fc.jsonValue({ maxDepth: 4 }),
) as fc.Arbitrary<Record<string, unknown>>;
const caps = fc.integer({ min: 1, max: 5 });

/** Every list with its path, except entries that are lists. Independent of the tested code. */
function lists(value: unknown, path = ''): { path: string; list: unknown[] }[] {
  if (Array.isArray(value)) {
    const entries = value.flatMap((entry, index) =>
      Array.isArray(entry) ? [] : lists(entry, `${path}[${index}]`),
    );
    return [{ path, list: value }, ...entries];
  }
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, field]) =>
    lists(field, path === '' ? name : `${path}.${name}`),
  );
}

describe('truncateRows', () => {
  it('leaves no list longer than max_rows', () => {
    fc.assert(
      fc.property(answers, caps, (answer, cap) => {
        const { _truncated, ...rest } = truncateRows(answer, cap) as Record<string, unknown>;
        expect(lists(rest).every(({ list }) => list.length <= cap)).toBe(true);
      }),
    );
  });

  it('keeps the first entries of each list and every other field as it was', () => {
    fc.assert(
      fc.property(answers, caps, (answer, cap) => {
        const cut = (value: unknown): unknown => {
          if (Array.isArray(value))
            return value.slice(0, cap).map((entry) => (Array.isArray(entry) ? entry : cut(entry)));
          if (typeof value !== 'object' || value === null) return value;
          return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, cut(field)]));
        };
        const { _truncated, ...rest } = truncateRows(answer, cap) as Record<string, unknown>;
        expect(rest).toEqual(cut(answer));
      }),
    );
  });

  it('names exactly the lists that were cut and are still shown, with their original lengths', () => {
    fc.assert(
      fc.property(answers, caps, (answer, cap) => {
        const result = truncateRows(answer, cap) as { _truncated?: { original_counts: object } };
        const { _truncated, ...rest } = result;
        const shown = new Set(lists(rest).map(({ path }) => path));
        const expected = lists(answer).filter(({ path, list }) => list.length > cap && shown.has(path));
        expect(_truncated?.original_counts ?? {}).toEqual(
          Object.fromEntries(expected.map(({ path, list }) => [path, list.length])),
        );
      }),
    );
  });

  it('names nested lists by their path', () => {
    const answer = { bots: [{ paths: [1, 2, 3] }, { paths: [1] }, { paths: [] }], total: 3 };
    expect(truncateRows(answer, 2)).toEqual({
      bots: [{ paths: [1, 2] }, { paths: [1] }],
      total: 3,
      _truncated: {
        max_rows: 2,
        original_counts: { bots: 3, 'bots[0].paths': 3 },
        note: expect.stringContaining('first 2 entries'),
      },
    });
  });

  it('adds nothing where no list is longer', () => {
    const answer = { paths: [1, 2] };
    expect(truncateRows(answer, 2)).toBe(answer);
  });
});
