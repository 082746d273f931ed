import type { Alert } from '../../../shared/alerts/alert.js';
import { newWebsiteArrivals, type WebsiteArrivals } from '../arrivals/website-arrivals.js';

/** A website of a partition, in memory: about a kilobyte without its learned state. */
export interface TrackedWebsite {
  readonly id: string;
  readonly arrivals: WebsiteArrivals;
  /** Alerts that were stored after its arrivals were saved. They are added to its learned state when that is loaded. */
  adopted: readonly Alert[];
  /** Whether its arrivals changed since they were saved. */
  isChanged: boolean;
}

export function newTrackedWebsite(id: string): TrackedWebsite {
  return { id, arrivals: newWebsiteArrivals(), adopted: [], isChanged: false };
}
