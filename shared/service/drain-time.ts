import type { Config } from '../config.js';

/** The rest is for what lies below the listener: commits, flushes, connections to the stores. */
const SHARE_OF_CALLS = 0.75;

/** How long calls under way may still take once the process stops, milliseconds; the whole process has SHUTDOWN_TIMEOUT_MS. */
export function drainTimeMs(config: Pick<Config, 'SHUTDOWN_TIMEOUT_MS'>): number {
  return Math.floor(SHARE_OF_CALLS * config.SHUTDOWN_TIMEOUT_MS);
}
