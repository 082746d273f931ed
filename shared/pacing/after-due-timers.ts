import { setImmediate as nextTurn } from 'node:timers/promises';

/**
 * Resolves when each timer that was due has fired. A process that hung hears what it was waiting for before its timers say how long that was: who
 * asks after this whether something is still its own, as the session in a consumer group, gets the answer of now.
 */
export async function afterDueTimers(): Promise<void> {
  // Timers fire once between two turns.
  await nextTurn();
  await nextTurn();
}
