import type { ExportSchedule } from '../../../shared/control/domain/model.js';
import { DAY_MS, HOUR_MS } from '../../../shared/durations.js';
import { midnightOf } from '../../../shared/reads/bots/daily-build.js';

/** After midnight UTC. Delayed rows of senders have arrived by then. */
const WAIT_MS = 2 * HOUR_MS;
/** Late or erased rows lead to a new file for so many days. */
const RECENT_DAYS = 7;

/**
 * The finished days of a schedule that may still have rows, the newest first. Pure.
 * @param now milliseconds since the epoch
 * @returns `at`: its beginning. `isRecent`: it is stored again if its rows changed; an older day only if its file is missing or differs
 */
export function daysToLookAt(
  { from }: Pick<ExportSchedule, 'from'>,
  { now, retentionDays }: { readonly now: number; readonly retentionDays: number },
): { readonly at: number; readonly isRecent: boolean }[] {
  const last = midnightOf(now - WAIT_MS) - DAY_MS;
  // The oldest day of the retention is partly deleted.
  const first = Math.max(Date.parse(`${from}T00:00:00Z`), midnightOf(now) - (retentionDays - 1) * DAY_MS);
  const days = [];
  for (let at = last; at >= first; at -= DAY_MS)
    days.push({ at, isRecent: (last - at) / DAY_MS < RECENT_DAYS });
  return days;
}
