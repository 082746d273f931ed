import type { Logger } from '../../shared/logging/log.js';

/**
 * An insert normally takes less than a second, and its timeout is two minutes. A range that is not done after
 * this time needs help.
 */
export const STUCK_AFTER_MS = 60_000;
const LOOK_EVERY_MS = 30_000;

export interface RangeWatch {
  /**
   * Age of the oldest planned range that is not done yet, in seconds; 0: none. It continues over restarts,
   * since plans contain their time.
   */
  stuckSeconds(): number;
  stop(): void;
}

export interface RangeWatchOptions {
  /** When each partition's range was planned, milliseconds since the epoch. */
  planned(): Iterable<readonly [partition: number, plannedAt: number | null]>;
  now(): number;
  readonly logger: Logger;
}

/**
 * Also logs the stuck partition, because in one process `/readyz` does not report it (docs/troubleshooting.md).
 */
export function watchRanges({ planned, now, logger }: RangeWatchOptions): RangeWatch {
  function oldest(): { partition: number; seconds: number } | null {
    let found: { partition: number; seconds: number } | null = null;
    for (const [partition, plannedAt] of planned()) {
      const seconds = plannedAt === null ? 0 : Math.max(0, (now() - plannedAt) / 1000);
      if (plannedAt !== null && (found === null || seconds > found.seconds)) found = { partition, seconds };
    }
    return found;
  }
  const timer = setInterval(() => {
    const stuck = oldest();
    if (stuck === null || stuck.seconds * 1000 < STUCK_AFTER_MS) return;
    logger.error(
      { partition: stuck.partition, seconds: Math.round(stuck.seconds) },
      'a planned range does not get done; later records of its partition wait',
    );
  }, LOOK_EVERY_MS).unref();
  return {
    stuckSeconds: () => oldest()?.seconds ?? 0,
    stop: () => clearInterval(timer),
  };
}
