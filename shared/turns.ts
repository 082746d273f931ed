import { setImmediate as nextTurn } from 'node:timers/promises';

/** Turns of the event loop for work whose parts outsiders size. */

/** Longest hold of the event loop that other callers are to notice. */
const TURN_MS = 20;

/** Gives the event loop up where the caller has held it for a turn; to be awaited between two parts of the work. */
export type GiveTurn = () => Promise<void>;

/** By the clock, because a count of parts says nothing where others choose how large each is. @param now milliseconds. */
export function createTurns(now: () => number = () => performance.now()): GiveTurn {
  let began = now();
  return async () => {
    if (now() - began < TURN_MS) return;
    await nextTurn();
    began = now();
  };
}
