import type { ExportSchedule } from '../../../shared/control/domain/model.js';
import { DAY_MS, HOUR_MS } from '../../../shared/durations.js';
import { midnightOf } from '../../../shared/reads/bots/daily-build.js';

/** After midnight UTC: what senders hold back for a while has come by then. */
const WAIT_MS = 2 * HOUR_MS;
/** For so many days late rows, and erased ones, lead to a new file. */
const RECENT_DAYS = 7;

/**
 * The finished days of a schedule that rows may be left of, the newest first. Pure.
 * @param now milliseconds since the epoch.
 * @returns `at`: its beginning. `isRecent`: it is stored anew where its rows have changed; an older one only where its file is missing or another.
 */
export function daysToLookAt(
  { from }: Pick<ExportSchedule, 'from'>,
  { now, retentionDays }: { readonly now: number; readonly retentionDays: number },
): { readonly at: number; readonly isRecent: boolean }[] {
  const last = midnightOf(now - WAIT_MS) - DAY_MS;
  // The oldest day of the retention is partly gone.
  const first = Math.max(Date.parse(`${from}T00:00:00Z`), midnightOf(now) - (retentionDays - 1) * DAY_MS);
  const days = [];
  for (let at = last; at >= first; at -= DAY_MS)
    days.push({ at, isRecent: (last - at) / DAY_MS < RECENT_DAYS });
  return days;
}
