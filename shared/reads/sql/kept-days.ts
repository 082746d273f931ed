import { DAY_MS } from '../../durations.js';
import type { ClickHouseReader } from '../../store/client.js';
import { filtersByVerdict } from './filters.js';
import type { Scope, Window } from './scope.js';

/**
 * Results of raw rows that this process keeps for each whole UTC day. A later read then only reads the cut days at the window's edges, and
 * days that have changed.
 */

/** A question whose results add up: the result of a window follows from those of its days. */
export interface DayQuestion<Result> {
  readonly websiteId: string;
  readonly window: Window;
  /** Everything besides the website's rows that determines the result of a day. */
  readonly key: string;
  /** Number of hours after the day on whose rows its result depends, too. */
  readonly hoursAfter: number;
  /** The result of each span, in this order. The spans are in order of time, and none crosses a UTC midnight. */
  read(spans: readonly Window[]): Promise<readonly Result[]>;
  /** Memory of a result. */
  bytesOf(result: Result): number;
}

export interface KeptDays {
  /**
   * The result of each day of the window; null: read the window at once, because nothing can be kept.
   * @throws as the question's read
   */
  resultsOf<Result>(question: DayQuestion<Result>): Promise<readonly Result[] | null>;
}

/** A reader that wraps another one must copy `keptDays`, or nothing is kept. */
export interface ReaderWithDays extends ClickHouseReader {
  readonly keptDays?: KeptDays | undefined;
}

/**
 * The results of the scope's days; null: read its window at once.
 * @param scope with the website's late verdicts if its filters depend on them
 * @param question `key` need not contain the filters
 */
export async function resultsByDay<Result>(
  { keptDays }: ReaderWithDays,
  { websiteId, window, filters, lateVerdicts }: Scope,
  question: Omit<DayQuestion<Result>, 'websiteId' | 'window'>,
): Promise<readonly Result[] | null> {
  const verdicts = filtersByVerdict(filters) ? lateVerdicts : [];
  if (keptDays === undefined || verdicts == null) return null;
  const key = JSON.stringify([question.key, filters, verdicts]);
  return keptDays.resultsOf({ ...question, websiteId, window, key });
}

/** The window, cut at the UTC midnights. */
export function daysOf({ start, end }: Window): Window[] {
  const days: Window[] = [];
  for (let from = start; from < end; ) {
    const to = Math.min(end, (Math.floor(from / DAY_MS) + 1) * DAY_MS);
    days.push({ start: from, end: to });
    from = to;
  }
  return days;
}

/** Whether a span of `daysOf` is not cut. */
export function isWholeDay({ start, end }: Window): boolean {
  return end - start === DAY_MS;
}

/** Adjacent spans as one. */
export function joinSpans(spans: readonly Window[]): Window[] {
  const joined: Window[] = [];
  for (const { start, end } of spans) {
    const last = joined.at(-1);
    if (last?.end === start) joined[joined.length - 1] = { start: last.start, end };
    else joined.push({ start, end });
  }
  return joined;
}
