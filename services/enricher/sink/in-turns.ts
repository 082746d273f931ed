import type { GiveTurn } from '../../../shared/turns.js';

/** Runs a generator to its end and returns its result. The event loop may turn at each `yield`. */
export async function inTurns<Result>(
  work: Generator<undefined, Result, undefined>,
  giveTurn: GiveTurn,
): Promise<Result> {
  for (;;) {
    const step = work.next();
    if (step.done) return step.value;
    await giveTurn();
  }
}
