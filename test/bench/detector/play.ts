import type { WebsiteState } from '../../../services/detector/evaluation/website-state.js';
import type { Alert } from '../../../shared/alerts/alert.js';
import { defaultAlertSettings } from '../../../shared/alerts/settings.js';
import { INTERVAL_MS } from '../../../shared/detection/health-metrics.js';
import { closeWith, createCountedIntervals } from '../../harness/detector/close-with.js';
import type { Happening, SimulatedWebsite } from './simulated-website.js';

/**
 * Plays a time span of a simulated website to the detector's core, interval by interval. An import is played
 * equally: the core does not know when lines arrived.
 * @returns new alerts, without their repeats
 */
export function play(
  state: WebsiteState,
  website: SimulatedWebsite,
  { start, end }: { readonly start: number; readonly end: number },
  happenings: readonly Happening[] = [],
): readonly Alert[] {
  const fired: Alert[] = [];
  const intervals = createCountedIntervals();
  for (let at = start; at < end; at += INTERVAL_MS) {
    const now = happenings.filter((happening) => at >= happening.start && at < happening.end);
    const { counts } = website.interval(at, now);
    intervals.add(counts);
    const to = at + INTERVAL_MS;
    const { alerts } = closeWith(
      state,
      { start: at, end: to },
      { settings: defaultAlertSettings, suppressed: new Set(), sharedNetworkOf: () => null },
      intervals.countsOf,
    );
    fired.push(...alerts.filter(({ occurrences }) => occurrences === 1));
  }
  return fired;
}
