import type { Inspection } from '../../../../shared/reads/search/inspections.js';
import type {
  DayFigures,
  QueryFigures,
  SearchFigures,
} from '../../../../shared/reads/search/search-measures.js';

/** The port to a search-performance source, opened for one run. Every call ends when its signal fires; days are `YYYY-MM-DD`. */
export interface SearchSource {
  /** The totals of each final day of the span that has any, oldest first. @throws SourceError, as every call */
  days(span: DaySpan, signal: AbortSignal): Promise<readonly DayFigures[]>;
  /** The pages of one day; the largest ones if the source limits them. */
  pages(day: string, signal: AbortSignal): Promise<readonly UrlFigures[]>;
  /** The top queries of one day. */
  queries(day: string, signal: AbortSignal): Promise<readonly QueryFigures[]>;
  /** The queries of each page over the span; null: the source has none. */
  readonly pageQueries:
    | ((span: DaySpan, signal: AbortSignal) => Promise<readonly (UrlFigures & QueryFigures)[]>)
    | null;
  /** The engine's index entry for a URL; null: the source offers no inspection. */
  readonly inspect: ((url: string, signal: AbortSignal) => Promise<SourceInspection>) | null;
}

/** Both days are included. */
export interface DaySpan {
  readonly from: string;
  readonly to: string;
}

export interface UrlFigures extends SearchFigures {
  /** A full URL. */
  readonly url: string;
}

export type SourceInspection = Omit<Inspection, 'path' | 'url' | 'inspectedAt'>;
