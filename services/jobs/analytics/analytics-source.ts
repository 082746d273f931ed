import type {
  AnalyticsDay,
  SessionFigures,
  ViewFigures,
} from '../../../shared/reads/analytics/analytics-measures.js';

/** The port to a service of web analytics, for the time of one run. Every call ends when its signal fires; days are `YYYY-MM-DD`. */
export interface WebAnalytics {
  /**
   * The totals of each day that has any, oldest first, from `historyDays` ago to the one that ended `lagDays` ago: both days of the property's own
   * time zone. @throws SourceError, as every call
   */
  days(
    span: { readonly historyDays: number; readonly lagDays: number },
    signal: AbortSignal,
  ): Promise<ToldDays>;
  /** Sessions of a day by the page that they began on and where they came from: those with most sessions, where there are more than can be told. */
  landings(day: string, signal: AbortSignal): Promise<readonly LandingFigures[]>;
  /** Views of a day by page. */
  views(day: string, signal: AbortSignal): Promise<readonly PathViews[]>;
  /** Sessions of a day by where they came from. */
  senders(day: string, signal: AbortSignal): Promise<readonly SenderFigures[]>;
}

export interface ToldDays {
  readonly days: readonly AnalyticsDay[];
  /** IANA name; '' where the service tells none that is known. */
  readonly timeZone: string;
}

/** Where sessions came from, in the service's words. */
export interface SenderFigures extends SessionFigures {
  readonly source: string;
  readonly medium: string;
}

/** Paths stand as the service tells them. */
export interface LandingFigures extends SenderFigures {
  readonly path: string;
}

export interface PathViews extends ViewFigures {
  readonly path: string;
}
