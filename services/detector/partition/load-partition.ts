import type { Logger } from '../../../shared/logging/log.js';
import { decodeArrivals } from '../arrivals/arrivals-codec.js';
import { isBeginning, restartRenewal } from '../arrivals/website-arrivals.js';
import type { StoredArrivals } from '../tables/detector-arrivals.js';
import type { DetectorStore } from '../tables/detector-store.js';
import { type AdoptionDependencies, adoptStored } from './adopt-stored.js';
import { FORGOTTEN_MS, type TrackedWebsite } from './tracked-website.js';

export interface LoadOptions extends AdoptionDependencies {
  readonly store: Pick<DetectorStore, 'arrivals' | 'alertsSeen'>;
  /** Whether the website belongs to this partition and is not erased. */
  isOwn(websiteId: string): boolean;
}

/**
 * Loads the stored websites of the partition. A website whose row cannot be read starts with new arrivals:
 * its row must not stop the evaluation of the others.
 * @throws as `ClickHouseReader.read` and `sendRecords`
 */
export async function loadPartition(options: LoadOptions): Promise<Map<string, TrackedWebsite>> {
  const stored = await options.store.arrivals(options.isOwn);
  const tracked = stored
    .flatMap((row) => toTracked(row, options.logger) ?? [])
    .filter(({ arrivals }) => options.now - arrivals.punctuality.storedAt < FORGOTTEN_MS);
  // A website that restarts finds all of its alerts again.
  await adoptStored(
    tracked.filter(({ arrivals }) => !isBeginning(arrivals)),
    options,
  );
  return new Map(tracked.map((website) => [website.id, website]));
}

function toTracked({ websiteId, arrivals: text }: StoredArrivals, logger: Logger): TrackedWebsite | null {
  try {
    const arrivals = decodeArrivals(text);
    restartRenewal(arrivals);
    return { id: websiteId, arrivals, adopted: [], isChanged: false };
  } catch (error) {
    logger.error(
      { err: error, website_id: websiteId },
      'stored arrivals cannot be read: the website starts with new ones',
    );
    return null;
  }
}
