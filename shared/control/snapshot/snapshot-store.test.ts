import { expect, test } from 'vitest';
import type { StoredSnapshot } from './snapshot-rows.js';
import { superfluous } from './snapshot-store.js';

const DAY = 86_400;

const stored = (nextOffset: number, more: Partial<StoredSnapshot> = {}): StoredSnapshot => ({
  fingerprint: 'own',
  nextOffset,
  lastDecision: 'd',
  parts: 2,
  ageSeconds: 400 * DAY,
  ...more,
});
const half = { parts: 0 };
const offsets = (newestFirst: StoredSnapshot[]) =>
  superfluous(newestFirst, 'own').map(({ nextOffset }) => nextOffset);

test.each([
  ['the newest two stay, however old', [stored(9), stored(7)], []],
  ['older ones go, half-written ones with them', [stored(9), stored(7), stored(5), stored(4, half)], [5, 4]],
  ['one that is being written counts for none', [stored(9, half), stored(7), stored(6, half), stored(5)], []],
  ['half-written ones go once two are complete behind them', [stored(9), stored(7), stored(8, half)], [8]],
  [
    'the newest in time count, not the farthest: the log was begun anew',
    [stored(2), stored(1), stored(90)],
    [90],
  ],
])('%s', (_what, list, wanted) => {
  expect(offsets(list)).toEqual(wanted);
});

test('snapshots of another release stay for fourteen days', () => {
  const of = (ageSeconds: number, nextOffset: number) =>
    stored(nextOffset, { fingerprint: 'other', ageSeconds });
  expect(offsets([of(1, 9), of(2, 8), of(3, 7), of(14 * DAY, 6), of(14 * DAY + 1, 5), stored(4)])).toEqual([
    5,
  ]);
});
