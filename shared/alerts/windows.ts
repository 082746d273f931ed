import { DAY_MS, HOUR_MS } from '../durations.js';
import { type AlertType, alertTypes } from './alert.js';

/** How alerts of one fingerprint become incidents (spec §2.4, §3.4, §8). */

/** An alert joins the incident whose last one is no longer ago. */
export const JOIN_WINDOW_MS = 6 * HOUR_MS;

const CLEAR_WINDOW_MS = 2 * HOUR_MS;
const NIGHTLY_CLEAR_WINDOW_MS = DAY_MS;

/** A repeat within it belongs to the same alert; without one for longer the incident is cleared (spec §3.4). */
export function clearWindowOf(type: AlertType, isSnoozed: boolean): number {
  return isSnoozed || 'nightly' in alertTypes[type] ? NIGHTLY_CLEAR_WINDOW_MS : CLEAR_WINDOW_MS;
}
