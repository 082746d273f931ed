import { createLimiter } from './limiter.js';
import { createTurns, type GiveTurn } from './turns.js';

/**
 * Work on answers that outsiders made large: reading and writing JSON. It gives the event loop up every few milliseconds. One is worked on
 * at a time, since the parts of several would run in the same turn.
 */

/** Milliseconds between two looks at other callers: a call waits for several turns before it is answered. */
const PART_MS = 5;

const lane = createLimiter({ most: 1 });

/** @param work awaits `giveTurn` after each of its parts. */
export function workInParts<Result>(work: (giveTurn: GiveTurn) => Promise<Result>): Promise<Result> {
  return lane.run('', () => work(createTurns({ milliseconds: PART_MS })));
}
