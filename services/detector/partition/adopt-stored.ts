import type { Alert } from '../../../shared/alerts/alert.js';
import { inPieces } from '../../../shared/in-pieces.js';
import type { Logger } from '../../../shared/log.js';
import type { SightMark } from '../../../shared/queries/alert-writes.js';
import type { DetectorCore } from '../core.js';
import type { DetectorStore } from '../detector-store.js';
import { isTooMuch } from '../keep-trying.js';
import { FIRST_DELIVERY_MS } from '../signals/intervals.js';
import type { TrackedWebsite } from './tracked-website.js';

export interface AdoptionDependencies<State> {
  readonly core: Pick<DetectorCore<State>, 'adoptAlerts'>;
  readonly store: Pick<DetectorStore, 'alertsSeen'>;
  readonly logger: Logger;
  readonly now: number;
  /** Appends the alerts' records: they may be missing. */
  tell(alerts: readonly Alert[]): Promise<void>;
}

/** Of one statement: scanners and impostors alone make a thousand alerts a day of a website. */
const READ_WEBSITES = 200;
const READ_ALERTS = 1_000;

/**
 * Tells the websites of the alerts that were stored of them after their states were saved, and tells these on. Each is asked of from where
 * its own state ends. A website whose alerts can't be read at all goes on without them: what is found again is then told again.
 * @throws as `ClickHouseReader.read` and `tell`
 */
export async function adoptStored<State>(
  websites: readonly TrackedWebsite<State>[],
  deps: AdoptionDependencies<State>,
): Promise<void> {
  for (const some of inPieces(websites, READ_WEBSITES)) await adoptOf(some, deps);
}

async function adoptOf<State>(
  websites: readonly TrackedWebsite<State>[],
  deps: AdoptionDependencies<State>,
): Promise<void> {
  try {
    await adoptPages(websites, deps);
  } catch (error) {
    if (!isTooMuch(error)) throw error;
    if (websites.length > 1) {
      for (const half of inPieces(websites, Math.ceil(websites.length / 2))) await adoptOf(half, deps);
      return;
    }
    const website_id = websites[0]?.id;
    deps.logger.error(
      { err: error, website_id },
      'stored alerts can not be read: the website goes on without',
    );
  }
}

async function adoptPages<State>(
  websites: readonly TrackedWebsite<State>[],
  { core, store, now, tell }: AdoptionDependencies<State>,
): Promise<void> {
  const later = new Map(websites.map(({ id, signals }) => [id, signals.next ?? now - FIRST_DELIVERY_MS]));
  let after: SightMark | null = null;
  for (let most = READ_ALERTS; ; ) {
    const read: Alert[] | null = await store.alertsSeen({ later, after, most }).catch((error: unknown) => {
      if (most === 1 || !isTooMuch(error)) throw error;
      return null;
    });
    if (read === null) {
      most = Math.ceil(most / 2);
      continue;
    }
    for (const { id, state } of websites) {
      const own = read.filter(({ websiteId }) => websiteId === id);
      if (own.length > 0) core.adoptAlerts(state, own);
    }
    if (read.length > 0) await tell(read);
    after = read.at(-1) ?? after;
    if (read.length < most) return;
  }
}
