import { setImmediate as nextTurn } from 'node:timers/promises';

/** What the work comes to. The event loop turns wherever it stops. */
export async function inTurns<Result>(work: Generator<undefined, Result, undefined>): Promise<Result> {
  for (;;) {
    const step = work.next();
    if (step.done) return step.value;
    await nextTurn();
  }
}
