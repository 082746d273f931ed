import type { Alert } from '../../../shared/alerts/alert.js';
import { newWebsiteArrivals, type WebsiteArrivals } from '../arrivals/website-arrivals.js';

/** A website of a partition, in memory: about a kilobyte while nothing of it is judged. */
export interface TrackedWebsite {
  readonly id: string;
  readonly arrivals: WebsiteArrivals;
  /** Alerts that were stored after its learned state was saved: the state takes them over when it is loaded. */
  adopted: readonly Alert[];
  /** Whether its arrivals changed since they were saved. */
  isChanged: boolean;
}

export function newTrackedWebsite(id: string): TrackedWebsite {
  return { id, arrivals: newWebsiteArrivals(), adopted: [], isChanged: false };
}
