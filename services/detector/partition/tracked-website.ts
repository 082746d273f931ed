import type { Alert } from '../../../shared/alerts/alert.js';
import { DAY_MS } from '../../../shared/durations.js';
import { newWebsiteArrivals, type WebsiteArrivals } from '../arrivals/website-arrivals.js';

/** A website is forgotten after this time without logs. */
export const FORGOTTEN_MS = 40 * DAY_MS;

/** A website of a partition, in memory: about two kilobytes without its learned state. */
export interface TrackedWebsite {
  readonly id: string;
  readonly arrivals: WebsiteArrivals;
  /**
   * Alerts that were stored after its arrivals were saved. They are added to the learned state when it is
   * loaded.
   */
  adopted: readonly Alert[];
  /** Whether its arrivals changed since they were saved. */
  isChanged: boolean;
}

export function newTrackedWebsite(id: string): TrackedWebsite {
  return { id, arrivals: newWebsiteArrivals(), adopted: [], isChanged: false };
}
