import { setTimeout as sleep } from 'node:timers/promises';
import { ConfigError } from '../config.js';
import type { Service } from './service.js';

const FIRST_DELAY_MS = 250;
const LONGEST_DELAY_MS = 5_000;

/**
 * What the attempt resolves to, once it does: a dependency that is not there yet is waited for, with back-off.
 * @param what names it in the log.
 * @throws ConfigError of the attempt, which no waiting cures; Error as soon as the process is stopping.
 */
export async function waitFor<T>(
  what: string,
  attempt: () => Promise<T>,
  { logger, stopping }: Pick<Service, 'logger' | 'stopping'>,
): Promise<T> {
  for (let delay = FIRST_DELAY_MS; ; delay = Math.min(2 * delay, LONGEST_DELAY_MS)) {
    stopping.throwIfAborted();
    try {
      return await attempt();
    } catch (error) {
      if (error instanceof ConfigError) throw error;
      logger.warn({ err: error, retry_in_ms: delay }, `waiting for ${what}`);
    }
    await sleep(delay, undefined, { signal: stopping });
  }
}
