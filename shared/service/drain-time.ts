import type { Config } from '../config.js';
import type { Service } from './service.js';

/** The rest is for the parts below the listener: commits, flushes, connections to the stores. */
const SHARE_OF_CALLS = 0.75;

/** Time for calls in progress after the stop signal, milliseconds; the whole process has SHUTDOWN_TIMEOUT_MS. */
export function drainTimeMs(config: Pick<Config, 'SHUTDOWN_TIMEOUT_MS'>): number {
  return Math.floor(SHARE_OF_CALLS * config.SHUTDOWN_TIMEOUT_MS);
}

/** Fires when that time has passed since the stop signal. */
export function endOfDrain({ config, stopping }: Pick<Service, 'config' | 'stopping'>): AbortSignal {
  const end = new AbortController();
  const count = () => void setTimeout(() => end.abort(), drainTimeMs(config)).unref();
  if (stopping.aborted) count();
  else stopping.addEventListener('abort', count, { once: true });
  return end.signal;
}
