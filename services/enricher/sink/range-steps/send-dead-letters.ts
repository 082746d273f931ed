import type { DeadRecord } from '../range/find-culprits.js';
import type { RangeStep } from './range-step.js';

export interface SendDeadLettersDependencies {
  /** Appends to requests.dead, at least once (dead-letter.ts). */
  deadLetter(dead: readonly DeadRecord[]): Promise<void>;
}

/** Sends records that cannot be decoded or encoded to `requests.dead`. */
export function sendDeadLetters({ deadLetter }: SendDeadLettersDependencies): RangeStep {
  return {
    name: 'dead letters',
    async run(range) {
      if (range.dead.length > 0) await deadLetter(range.dead);
      return range;
    },
  };
}
