import type { Organisation, Trial } from './model.js';

/** Whether it counts at `now` (milliseconds since the epoch): begun, not past its end, not superseded. */
export function isTrialRunning({ trial }: Organisation, now: number): boolean {
  return trial !== null && trial.supersededAt === null && now < Date.parse(trial.endsAt);
}

/** Ends a trial that runs at `at` (ISO 8601), because something else counts from then on. */
export function supersede(trial: Trial | null, at: string): Trial | null {
  return trial !== null && trial.supersededAt === null && at < trial.endsAt
    ? { ...trial, supersededAt: at }
    : trial;
}
