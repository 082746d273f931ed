import type { Logger } from '../../shared/logging/log.js';

/** An insert takes less than a second where nothing is wrong, and its time limit is two minutes: a range that is not done after one of them does not move by itself. */
export const STUCK_AFTER_MS = 60_000;
const LOOK_EVERY_MS = 30_000;

export interface RangeWatch {
  /** Seconds since the oldest range was planned that is not done yet; 0: none is. Over restarts, since the plan says when. */
  stuckSeconds(): number;
  stop(): void;
}

export interface RangeWatchOptions {
  /** When each partition's range was planned, milliseconds since the epoch. */
  planned(): Iterable<readonly [partition: number, plannedAt: number | null]>;
  now(): number;
  readonly logger: Logger;
}

/** Says in the log, too, which partition does not move: in one process readiness does not tell (docs/troubleshooting.md). */
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
      'a planned range does not get done; what is behind it in its partition waits',
    );
  }, LOOK_EVERY_MS).unref();
  return {
    stuckSeconds: () => oldest()?.seconds ?? 0,
    stop: () => clearInterval(timer),
  };
}
