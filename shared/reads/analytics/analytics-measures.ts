/** What web analytics count. Days are `YYYY-MM-DD` in the time zone of the property; money is in its currency. */

export interface SessionFigures {
  readonly sessions: number;
  /** Those of more than a glance, as the service judges. */
  readonly engagedSessions: number;
  /** Events that the owner counts as success. */
  readonly keyEvents: number;
  /** Below 0 where more was paid back than came in. */
  readonly revenue: number;
}

/** Views and the people behind them. */
export interface ViewFigures {
  readonly pageviews: number;
  readonly activeUsers: number;
  /** Seconds that pages had the attention of all users together. */
  readonly engagementSecs: number;
}

export interface AnalyticsDay extends SessionFigures, ViewFigures {
  readonly day: string;
  /** ISO 4217; '' where the service does not tell it. */
  readonly currency: string;
  /** IANA name; '' where it is none that is known. */
  readonly timeZone: string;
}

/** Figures of sessions are of those that began on the page; figures of views are of the page itself. */
export interface AnalyticsPage extends SessionFigures, ViewFigures {
  /** As logs have it: percent-encoded, without a query string. */
  readonly path: string;
  /** Sessions that an AI assistant sent. */
  readonly aiSessions: number;
  /** Sessions that came from the results of a search engine, advertisements aside. */
  readonly searchSessions: number;
}

export interface AnalyticsSource extends SessionFigures {
  readonly source: string;
  readonly medium: string;
  /** Operator of the AI assistant that the source names; '': none. */
  readonly aiOperator: string;
}
