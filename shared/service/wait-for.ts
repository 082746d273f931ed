import { setTimeout as sleep } from 'node:timers/promises';
import { ConfigError } from '../config.js';
import { doublingDelay } from '../pacing/doubling-delay.js';
import type { Service } from './service.js';

const DELAYS = { firstMs: 250, longestMs: 5_000 };

/**
 * Retries an attempt with exponential backoff until the dependency is available. @returns its result
 * @param what names it in the log.
 * @throws ConfigError of the attempt, which no retry fixes; Error as soon as the process is stopping.
 */
export async function waitFor<T>(
  what: string,
  attempt: () => Promise<T>,
  { logger, stopping }: Pick<Service, 'logger' | 'stopping'>,
): Promise<T> {
  const nextDelay = doublingDelay(DELAYS);
  for (;;) {
    stopping.throwIfAborted();
    try {
      return await attempt();
    } catch (error) {
      if (error instanceof ConfigError) throw error;
      const delay = nextDelay();
      logger.warn({ err: error, retry_in_ms: delay }, `waiting for ${what}`);
      await sleep(delay, undefined, { signal: stopping });
    }
  }
}
