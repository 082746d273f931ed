import { setImmediate as nextTurn } from 'node:timers/promises';

/** Yields to the event loop during work whose size outsiders choose. */

/** Longest time that work may block the event loop. */
const TURN_MS = 20;

/** Yields if the event loop was blocked for a whole turn. Await it between two parts of the work. */
export type GiveTurn = () => Promise<void>;

export interface TurnOptions {
  /** Length of a turn; default: {@link TURN_MS}. */
  readonly milliseconds?: number;
  /** Clock in milliseconds. */
  readonly now?: () => number;
}

/** Work that may be left off at each `yield`; what it returns is its result. */
export type Steps<Result> = Generator<void, Result>;

/** Does all steps of the work, and gives the event loop up between them. */
export async function inTurns<Result>(steps: Steps<Result>, giveTurn: GiveTurn): Promise<Result> {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    await giveTurn();
  }
}

/** By the clock, because a count of parts says nothing where others choose how large each is. */
export function createTurns({
  milliseconds = TURN_MS,
  now = () => performance.now(),
}: TurnOptions = {}): GiveTurn {
  let began = now();
  return async () => {
    if (now() - began < milliseconds) return;
    await nextTurn();
    began = now();
  };
}
