import { DAY_MS } from '../../durations.js';
import type { Organisation, Trial } from './model.js';

/** Whether the trial is running at `now` (milliseconds since the epoch): started, not ended, not replaced. */
export function isTrialRunning({ trial }: Organisation, now: number): boolean {
  return trial !== null && trial.supersededAt === null && now < Date.parse(trial.endsAt);
}

/** Days until its end, rounded up; 0 if it is not running at `now`. */
export function trialDaysLeft(organisation: Organisation, now: number): number {
  if (!isTrialRunning(organisation, now)) return 0;
  return Math.ceil((Date.parse(organisation.trial!.endsAt) - now) / DAY_MS);
}

/** Ends a trial that runs at `at` (ISO 8601), because another plan replaces it. */
export function supersede(trial: Trial | null, at: string): Trial | null {
  return trial !== null && trial.supersededAt === null && at < trial.endsAt
    ? { ...trial, supersededAt: at }
    : trial;
}
