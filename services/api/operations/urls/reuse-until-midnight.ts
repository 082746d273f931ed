import { DAY_MS } from '../../../../shared/durations.js';
import type { Reuse } from '../../answer-cache/answer-cache.js';
import type { WebsiteContext } from '../../operation/operation.js';

/** For an answer that counts whole UTC days. */
export function reuseUntilMidnight(_given: unknown, { now }: WebsiteContext): Reuse {
  return { on: [], until: (Math.floor(now / DAY_MS) + 1) * DAY_MS };
}
