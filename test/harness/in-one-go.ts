import type { Steps } from '../../shared/pacing/turns.js';

/** Does all steps of the work without a pause. */
export function inOneGo<Result>(steps: Steps<Result>): Result {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}
