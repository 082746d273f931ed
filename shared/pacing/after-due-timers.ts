import { setImmediate as nextTurn } from 'node:timers/promises';

/**
 * Resolves when every due timer has fired. After a process hung, its pending I/O callbacks run before the timers that
 * measure the delay. A check after this, such as for a consumer group session, then gives the current result.
 */
export async function afterDueTimers(): Promise<void> {
  // Timers fire once between two turns.
  await nextTurn();
  await nextTurn();
}
