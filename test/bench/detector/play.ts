import { closeInterval } from '../../../services/detector/evaluate-website.js';
import type { WebsiteState } from '../../../services/detector/website-state.js';
import type { Alert } from '../../../shared/alerts/alert.js';
import { defaultAlertSettings } from '../../../shared/alerts/settings.js';
import { type Happening, INTERVAL_MS, type SimulatedWebsite } from './simulated-website.js';

/**
 * Plays a stretch of a simulated website to the detector's core, interval by interval.
 * @returns alerts that fired, without their repeats
 */
export function play(
  state: WebsiteState,
  website: SimulatedWebsite,
  { start, end }: { readonly start: number; readonly end: number },
  happenings: readonly Happening[] = [],
): readonly Alert[] {
  const fired: Alert[] = [];
  for (let at = start; at < end; at += INTERVAL_MS) {
    const now = happenings.filter((happening) => at >= happening.start && at < happening.end);
    const { counts, isDelivered } = website.interval(at, now);
    const { alerts } = closeInterval(
      state,
      { start: at, end: at + INTERVAL_MS, counts, isDelivered },
      { settings: defaultAlertSettings, suppressed: new Set(), sharedNetworkOf: () => null },
    );
    fired.push(...alerts.filter(({ occurrences }) => occurrences === 1));
  }
  return fired;
}
