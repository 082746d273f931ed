import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { afterDueTimers } from './after-due-timers.js';

const hang = (ms: number) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);

test('a timer that became due while the process hung fires first', async () => {
  for (let times = 0; times < 20; times++) {
    let fired = false;
    setTimeout(() => {
      fired = true;
    }, 5);
    // From here on as in a socket callback: between two rounds of timers.
    await nextTurn();
    hang(10);
    await afterDueTimers();
    expect(fired).toBe(true);
  }
});
