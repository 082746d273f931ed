/** A source's figures of a day, a page or a query. */
export interface SearchFigures {
  readonly impressions: number;
  readonly clicks: number;
  /** Mean position in the results, from 1; 0: the source does not report it. */
  readonly position: number;
}

export interface DayFigures extends SearchFigures {
  /** `YYYY-MM-DD`, a day of the source. */
  readonly day: string;
}

export interface PathFigures extends SearchFigures {
  /** As in the logs: percent-encoded, without a query string. */
  readonly path: string;
}

export interface QueryFigures extends SearchFigures {
  readonly query: string;
}

export type PageQueryFigures = PathFigures & QueryFigures;

/** Counts add up; positions are weighted by impressions. */
export function addFigures(one: SearchFigures, other: SearchFigures): SearchFigures {
  const impressions = one.impressions + other.impressions;
  const shown = one.position * one.impressions + other.position * other.impressions;
  return {
    impressions,
    clicks: one.clicks + other.clicks,
    position: impressions === 0 ? 0 : shown / impressions,
  };
}
