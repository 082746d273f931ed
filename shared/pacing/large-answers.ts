import { createLimiter } from './limiter.js';
import { createTurns, type GiveTurn } from './turns.js';

/**
 * Parses and serialises JSON of a size that outsiders choose. Yields to the event loop every few milliseconds. One job
 * runs at a time, since the parts of several would run in the same turn.
 */

/** Milliseconds between two yields. A call needs several turns until its response. */
const PART_MS = 5;

const lane = createLimiter({ most: 1 });

/** @param work awaits `giveTurn` after each part. */
export function workInParts<Result>(work: (giveTurn: GiveTurn) => Promise<Result>): Promise<Result> {
  return lane.run('', () => work(createTurns({ milliseconds: PART_MS })));
}
