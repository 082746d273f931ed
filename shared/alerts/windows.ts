import { DAY_MS, HOUR_MS } from '../durations.js';
import { type AlertType, alertTypes } from './alert.js';

/** Windows that group alerts of one fingerprint into incidents (spec §2.4, §3.4, §8). */

/** Longest gap between an alert and the incident that it joins. */
export const JOIN_WINDOW_MS = 6 * HOUR_MS;

const CLEAR_WINDOW_MS = 2 * HOUR_MS;
const NIGHTLY_CLEAR_WINDOW_MS = DAY_MS;

/** A repeat within this window belongs to the same alert. After a longer gap the incident is cleared (spec §3.4). */
export function clearWindowOf(type: AlertType, isSnoozed: boolean): number {
  return isSnoozed || 'nightly' in alertTypes[type] ? NIGHTLY_CLEAR_WINDOW_MS : CLEAR_WINDOW_MS;
}
