import { DAY_MS } from '../../../../shared/durations.js';
import type { Reuse } from '../../answer-cache/answer-cache.js';
import type { WebsiteContext } from '../../operation/operation.js';

/** For an answer that counts whole UTC days: it depends on the current day as well as on the data. */
export function reuseUntilMidnight(_given: unknown, { now }: WebsiteContext): Reuse {
  return { on: [Math.floor(now / DAY_MS)], endsNow: false };
}
