import type { Alert } from '../../../shared/alerts/alert.js';
import { OLDEST_ARRIVAL_MS } from '../../../shared/detection/arrival.js';
import type { Logger } from '../../../shared/logging/log.js';
import { inPieces } from '../../../shared/pacing/in-pieces.js';
import type { SightMark } from '../../../shared/reads/alerts/alert-writes.js';
import { isTooLargeToRead } from '../../../shared/store/store-errors.js';
import type { DetectorStore } from '../tables/detector-store.js';
import type { TrackedWebsite } from './tracked-website.js';

export interface AdoptionDependencies {
  readonly store: Pick<DetectorStore, 'alertsSeen'>;
  readonly logger: Logger;
  readonly now: number;
  /** Appends the alerts' records again, since they may be missing. */
  sendRecords(alerts: readonly Alert[]): Promise<void>;
}

/** Limits of one statement. Scanners and impostors can raise a thousand alerts a day on one website. */
const READ_WEBSITES = 200;
const READ_ALERTS = 1_000;

/**
 * Adds to each website the alerts that were stored after its arrivals were saved, and sends their records
 * again. A website whose alerts cannot be read continues without them. An alert that is found again is then
 * sent again.
 * @throws as `ClickHouseReader.read` and `sendRecords`
 */
export async function adoptStored(
  websites: readonly TrackedWebsite[],
  deps: AdoptionDependencies,
): Promise<void> {
  for (const some of inPieces(websites, READ_WEBSITES)) await adoptOf(some, deps);
}

async function adoptOf(websites: readonly TrackedWebsite[], deps: AdoptionDependencies): Promise<void> {
  try {
    await adoptPages(websites, deps);
  } catch (error) {
    if (!isTooLargeToRead(error)) throw error;
    if (websites.length > 1) {
      for (const half of inPieces(websites, Math.ceil(websites.length / 2))) await adoptOf(half, deps);
      return;
    }
    const website_id = websites[0]?.id;
    deps.logger.error(
      { err: error, website_id },
      'stored alerts cannot be read: the website continues without them',
    );
  }
}

async function adoptPages(
  websites: readonly TrackedWebsite[],
  { store, now, sendRecords }: AdoptionDependencies,
): Promise<void> {
  const later = new Map(websites.map(({ id, arrivals }) => [id, arrivals.next ?? now - OLDEST_ARRIVAL_MS]));
  let after: SightMark | null = null;
  for (let most = READ_ALERTS; ; ) {
    const read: Alert[] | null = await store.alertsSeen({ later, after, most }).catch((error: unknown) => {
      if (most === 1 || !isTooLargeToRead(error)) throw error;
      return null;
    });
    if (read === null) {
      most = Math.ceil(most / 2);
      continue;
    }
    for (const website of websites) {
      const own = read.filter(({ websiteId }) => websiteId === website.id);
      website.adopted = [...website.adopted, ...own];
    }
    if (read.length > 0) await sendRecords(read);
    after = read.at(-1) ?? after;
    if (read.length < most) return;
  }
}
