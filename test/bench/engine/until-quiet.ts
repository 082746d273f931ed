import { setTimeout as sleep } from 'node:timers/promises';
import { cpuSecondsOf } from '../pipeline/process-cpu.js';

const LOOK_EVERY_SECONDS = 5;
/** Share of a core that an idle engine uses. */
const QUIET_SHARE = 0.1;
const LONGEST_SECONDS = 900;

/**
 * Resolves when the engine has finished the work after a start or an insert: jobs of each website, and
 * merges.
 * @throws Error if it continues longer than this
 */
export async function untilQuiet(enginePid: number, longestSeconds = LONGEST_SECONDS): Promise<void> {
  for (let seconds = 0; seconds < longestSeconds; seconds += LOOK_EVERY_SECONDS) {
    const before = cpuSecondsOf(enginePid);
    await sleep(1000 * LOOK_EVERY_SECONDS);
    if (cpuSecondsOf(enginePid) - before < QUIET_SHARE * LOOK_EVERY_SECONDS) return;
  }
  throw new Error(`the engine is not quiet after ${longestSeconds} s`);
}
