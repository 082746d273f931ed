/** An interval that is to be closed, as the core takes it. */
export interface DueInterval {
  /** Milliseconds since the epoch. `end` is not in it. */
  readonly start: number;
  readonly end: number;
  /** For imported logs: how many whole hours ago the interval ended. Absent for live logs. */
  readonly hoursOld?: number;
}
