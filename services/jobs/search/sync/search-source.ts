import type { Inspection } from '../../../../shared/reads/search/inspections.js';
import type {
  DayFigures,
  QueryFigures,
  SearchFigures,
} from '../../../../shared/reads/search/search-measures.js';

/** The port to a search-performance source, for the time of one run. Every call ends when its signal fires; days are `YYYY-MM-DD`. */
export interface SearchSource {
  /** The totals of each day of the span that has any and is final, oldest first. @throws SourceError, as every call */
  days(span: DaySpan, signal: AbortSignal): Promise<readonly DayFigures[]>;
  /** What the source tells of one day's pages: the greatest, where it does not tell all. */
  pages(day: string, signal: AbortSignal): Promise<readonly UrlFigures[]>;
  /** The top queries of one day. */
  queries(day: string, signal: AbortSignal): Promise<readonly QueryFigures[]>;
  /** The queries of each page over the span; null: the source does not tell them. */
  readonly pageQueries:
    | ((span: DaySpan, signal: AbortSignal) => Promise<readonly (UrlFigures & QueryFigures)[]>)
    | null;
  /** What the engine knows of a URL; null: the source can't be asked. */
  readonly inspect: ((url: string, signal: AbortSignal) => Promise<SourceInspection>) | null;
}

/** Both days are in it. */
export interface DaySpan {
  readonly from: string;
  readonly to: string;
}

export interface UrlFigures extends SearchFigures {
  /** A full URL. */
  readonly url: string;
}

export type SourceInspection = Omit<Inspection, 'path' | 'url' | 'inspectedAt'>;
