import { DAY_MS } from '../../durations.js';
import type { ClickHouseReader } from '../../store/client.js';
import { filtersByVerdict } from './filters.js';
import type { Scope, Window } from './scope.js';

/**
 * Results of raw rows that this process keeps for each whole UTC day. A later read then only reads the cut days at the window's edges, and
 * days that have changed.
 */

/** A question whose result for a window is the sum of the results of its days. */
export interface DayQuestion<Result> {
  readonly websiteId: string;
  readonly window: Window;
  /** Everything besides the website's rows that determines the result of a day. */
  readonly key: string;
  /** Number of hours after a day whose rows the day's result also depends on. */
  readonly hoursAfter: number;
  /** @param pieces as `piecesOf` returns them, or some of these. @returns the result of each, in the same order */
  read(pieces: readonly Window[]): Promise<readonly Result[]>;
  /** Memory of a result, in bytes. */
  bytesOf(result: Result): number;
}

export interface KeptDays {
  /**
   * The result of each piece of the window (`piecesOf`); null: read the window at once, because nothing can be kept.
   * @throws as the question's read
   */
  resultsOf<Result>(question: DayQuestion<Result>): Promise<readonly Result[] | null>;
}

/** A reader that wraps another one must copy `keptDays`, or nothing is kept. */
export interface ReaderWithDays extends ClickHouseReader {
  readonly keptDays?: KeptDays | undefined;
}

/**
 * The results of the pieces of the scope's window; null: read the window at once.
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

/** The window, cut at the UTC midnights: whole days, and a part of a day at each end that is not a midnight. In order of time. */
export function piecesOf({ start, end }: Window): Window[] {
  const pieces: Window[] = [];
  for (let from = start; from < end; ) {
    const to = Math.min(end, (Math.floor(from / DAY_MS) + 1) * DAY_MS);
    pieces.push({ start: from, end: to });
    from = to;
  }
  return pieces;
}

/** Whether a piece of `piecesOf` is a whole day. */
export function isWholeDay({ start, end }: Window): boolean {
  return end - start === DAY_MS;
}
