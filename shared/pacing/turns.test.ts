import { setImmediate as tick } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createTurns } from './turns.js';

/** Counts turns of the event loop. */
function countTurns() {
  const counted = { turns: 0, ended: false };
  void (async () => {
    for (; !counted.ended; counted.turns += 1) await tick();
  })();
  return counted;
}

test('yields after the given time without a yield, and again after the same time', async () => {
  let now = 0;
  const giveTurn = createTurns({ milliseconds: 5, now: () => now });
  const counted = countTurns();
  const given: number[] = [];
  for (const passed of [4, 1, 4, 1, 0]) {
    now += passed;
    const before = counted.turns;
    await giveTurn();
    given.push(Math.min(1, counted.turns - before));
  }
  counted.ended = true;
  expect(given).toEqual([0, 1, 0, 1, 0]);
});
