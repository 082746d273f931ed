/** What a source counts of a day, a page or a query. */
export interface SearchFigures {
  readonly impressions: number;
  readonly clicks: number;
  /** Mean place in the results, from 1; 0: the source does not tell it. */
  readonly position: number;
}

export interface DayFigures extends SearchFigures {
  /** `YYYY-MM-DD`, as the source counts days. */
  readonly day: string;
}

export interface PathFigures extends SearchFigures {
  /** As logs have it: percent-encoded, without a query string. */
  readonly path: string;
}

export interface QueryFigures extends SearchFigures {
  readonly query: string;
}

export type PageQueryFigures = PathFigures & QueryFigures;

/** Counts add up; a position counts as often as it was shown. */
export function addFigures(one: SearchFigures, other: SearchFigures): SearchFigures {
  const impressions = one.impressions + other.impressions;
  const shown = one.position * one.impressions + other.position * other.impressions;
  return {
    impressions,
    clicks: one.clicks + other.clicks,
    position: impressions === 0 ? 0 : shown / impressions,
  };
}
