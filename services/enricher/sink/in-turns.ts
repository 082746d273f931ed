import { setImmediate as nextTurn } from 'node:timers/promises';

/** Runs a generator to its end and returns its result. The event loop turns at each `yield`. */
export async function inTurns<Result>(work: Generator<undefined, Result, undefined>): Promise<Result> {
  for (;;) {
    const step = work.next();
    if (step.done) return step.value;
    await nextTurn();
  }
}
