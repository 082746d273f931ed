import type {
  AnalyticsDay,
  SessionFigures,
  ViewFigures,
} from '../../../shared/reads/analytics/analytics-measures.js';

/** The port to a web analytics service, opened for one run. Every call ends when its signal fires; days are `YYYY-MM-DD`. */
export interface WebAnalytics {
  /**
   * The totals of each day that has any, oldest first, from `historyDays` ago to `lagDays` ago, in the property's own time zone.
   * @throws SourceError, as every call
   */
  days(
    span: { readonly historyDays: number; readonly lagDays: number },
    signal: AbortSignal,
  ): Promise<ToldDays>;
  /** Sessions of a day by landing page and source. If there are too many rows, those with the most sessions. */
  landings(day: string, signal: AbortSignal): Promise<readonly LandingFigures[]>;
  /** Views of a day by page. */
  views(day: string, signal: AbortSignal): Promise<readonly PathViews[]>;
  /** Sessions of a day by source. */
  senders(day: string, signal: AbortSignal): Promise<readonly SenderFigures[]>;
}

export interface ToldDays {
  readonly days: readonly AnalyticsDay[];
  /** IANA name; '' if the service returns no known one. */
  readonly timeZone: string;
}

/** Sessions by source and medium, in the service's words. */
export interface SenderFigures extends SessionFigures {
  readonly source: string;
  readonly medium: string;
}

/** Paths are as the service writes them. */
export interface LandingFigures extends SenderFigures {
  readonly path: string;
}

export interface PathViews extends ViewFigures {
  readonly path: string;
}
