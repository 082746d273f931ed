/** An interval to be closed, as input of the core. */
export interface DueInterval {
  /** Milliseconds since the epoch; `end` is exclusive. */
  readonly start: number;
  readonly end: number;
  /** For imported logs: how many whole hours ago the interval ended. Absent for live logs. */
  readonly hoursOld?: number;
}
