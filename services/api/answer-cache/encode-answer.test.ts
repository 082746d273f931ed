import { setImmediate as nextTurn } from 'node:timers/promises';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { encodeAnswer } from './encode-answer.js';

it('writes what JSON.stringify writes', async () => {
  await fc.assert(
    fc.asyncProperty(fc.dictionary(fc.string(), fc.jsonValue()), async (answer) => {
      expect((await encodeAnswer(answer)).plain.toString()).toBe(JSON.stringify(answer));
    }),
  );
});

it('writes absent fields, lists of lists and long lists as JSON.stringify does', async () => {
  const answer = {
    absent: undefined,
    none: null,
    edges: Array.from({ length: 100 }, (_, index) => [index, index + 1]),
    rows: Array.from({ length: 10_000 }, (_, index) => ({
      path: `/"\u0001${index}`,
      tags: ['a', undefined],
    })),
    nothing: [],
    last: {},
  };
  expect((await encodeAnswer(answer)).plain.toString()).toBe(JSON.stringify(answer));
});

it('does not block other calls while it writes several answers of 30 MB', async () => {
  const rows = Array.from({ length: 500 }, () => ({ path: '"\u0001'.repeat(7_500) }));
  let isDone = false;
  const writing = Promise.all([1, 2, 3].map(() => encodeAnswer({ rows }, true))).then(() => {
    isDone = true;
  });
  let turns = 0;
  for (; !isDone; turns++) await nextTurn();
  await writing;
  expect(turns).toBeGreaterThan(10);
});

it('cuts long foreign texts in lists, also nested ones, and shows them whole on request', async () => {
  const long = 'a'.repeat(8_000);
  const controls = `${'\u0001'.repeat(329)}😀${'\u0001'.repeat(2_000)}`;
  const answer = {
    path: long,
    paths: [{ path: long, note: long }, { path: '/short' }, { path: controls }],
    groups: [{ url: long, pages: [{ path: long }], text: long }],
  };
  const mark = `${'a'.repeat(1_900)}…`;
  expect(JSON.parse((await encodeAnswer(answer)).plain.toString())).toEqual({
    path: long,
    paths: [{ path: mark, note: long }, { path: '/short' }, { path: `${'\u0001'.repeat(329)}…` }],
    groups: [{ url: mark, pages: [{ path: mark }], text: long }],
  });
  expect(JSON.parse((await encodeAnswer(answer, true)).plain.toString())).toEqual(answer);
});
