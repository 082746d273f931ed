import { DAY_MS } from '../../../../shared/durations.js';
import type { WebsiteContext } from '../../operation.js';
import type { Reuse } from '../../reads/answer-cache.js';

/** Of an answer that counts whole UTC days: it rests on the day beside the data. */
export function reuseUntilMidnight(_given: unknown, { now }: WebsiteContext): Reuse {
  return { on: [Math.floor(now / DAY_MS)], tellsNow: false };
}
