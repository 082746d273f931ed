import { DAY_MS } from '../../../../shared/durations.js';
import type { ReportData } from '../model/report-data.js';
import { counted, dayText, whole } from '../model/texts.js';

type Days = ReportData['traffic']['daily'];

const MOST_SPANS = 3;

/** A day without any request has no logs. Its figures are unknown, not 0. */
export const hasLogs = ({ requests }: Days[number]) => requests > 0;

/** The days of the period with logs; null: all. */
export function loggedDays(daily: Days): string | null {
  const logged = daily.filter(hasLogs).map(({ time }) => Date.parse(time as string));
  if (logged.length === daily.length) return null;
  if (logged.length === 0) return `None of the ${whole(daily.length)} days of the period has logs.`;
  const firsts = logged.filter((day) => !logged.includes(day - DAY_MS));
  const lasts = logged.filter((day) => !logged.includes(day + DAY_MS));
  const spans = firsts.map((first, place) =>
    first === lasts[place] ? dayText(first) : `${dayText(first)} to ${dayText(lasts[place]!)}`,
  );
  const more = spans.length - MOST_SPANS;
  const named = spans.slice(0, MOST_SPANS).join('; ');
  return `${counted(logged.length, 'day', 'days')} of ${whole(daily.length)} ${logged.length === 1 ? 'has' : 'have'} logs: ${named}${more > 0 ? `; and ${counted(more, 'later span', 'later spans')}` : ''}. The figures cover only ${logged.length === 1 ? 'that day' : 'those days'}.`;
}
