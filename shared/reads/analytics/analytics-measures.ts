/** Measures of web analytics. Days are `YYYY-MM-DD` in the time zone of the property; money is in its currency. */

export interface SessionFigures {
  readonly sessions: number;
  /** Sessions that the service classifies as engaged. */
  readonly engagedSessions: number;
  /** Events that the owner counts as success. */
  readonly keyEvents: number;
  /** Below 0 if refunds exceed income. */
  readonly revenue: number;
}

/** Views and their users. */
export interface ViewFigures {
  readonly pageviews: number;
  readonly activeUsers: number;
  /** Total engagement of all users, in seconds. */
  readonly engagementSecs: number;
}

export interface AnalyticsDay extends SessionFigures, ViewFigures {
  readonly day: string;
  /** ISO 4217; '' if the service reports none. */
  readonly currency: string;
  /** IANA name; '' if unknown. */
  readonly timeZone: string;
}

/** Session figures are of sessions that began on the page; view figures are of the page itself. */
export interface AnalyticsPage extends SessionFigures, ViewFigures {
  /** As in the logs: percent-encoded, without a query string. */
  readonly path: string;
  /** Sessions that an AI assistant sent. */
  readonly aiSessions: number;
  /** Sessions that came from search results, excluding advertisements. */
  readonly searchSessions: number;
}

export interface SessionSource extends SessionFigures {
  readonly source: string;
  readonly medium: string;
  /** Operator of the AI assistant that the source names; '': none. */
  readonly aiOperator: string;
}
