import { DAY_MS } from '../../durations.js';
import type { Organisation, Trial } from './model.js';

/** Whether it counts at `now` (milliseconds since the epoch): begun, not past its end, not superseded. */
export function isTrialRunning({ trial }: Organisation, now: number): boolean {
  return trial !== null && trial.supersededAt === null && now < Date.parse(trial.endsAt);
}

/** Begun days until its end; 0 where it does not count at `now`. */
export function trialDaysLeft(organisation: Organisation, now: number): number {
  if (!isTrialRunning(organisation, now)) return 0;
  return Math.ceil((Date.parse(organisation.trial!.endsAt) - now) / DAY_MS);
}

/** Ends a trial that runs at `at` (ISO 8601), because something else counts from then on. */
export function supersede(trial: Trial | null, at: string): Trial | null {
  return trial !== null && trial.supersededAt === null && at < trial.endsAt
    ? { ...trial, supersededAt: at }
    : trial;
}
