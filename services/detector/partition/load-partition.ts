import type { Alert } from '../../../shared/alerts/alert.js';
import { DAY_MS } from '../../../shared/durations.js';
import type { Logger } from '../../../shared/log.js';
import type { StateSize, StoredState } from '../../../shared/queries/detector-states.js';
import type { DetectorCore } from '../core.js';
import type { DetectorStore } from '../detector-store.js';
import { FIRST_DELIVERY_MS } from '../signals/intervals.js';
import { LaterReleaseError } from '../stored-version.js';
import { decodeTracked, type TrackedWebsite } from './tracked-website.js';

/** A website that sent nothing for so long is forgotten. */
export const FORGOTTEN_MS = 40 * DAY_MS;
/** What an alert can be found again within (shared/alerts/windows.ts). */
const ADOPTED_MS = DAY_MS;
/** Of one read: an answer is held as text and as objects. */
const READ_BYTES = 8 * 1024 ** 2;
const READ_WEBSITES = 200;

export interface LoadOptions<State> {
  readonly core: DetectorCore<State>;
  readonly store: Pick<DetectorStore, 'stateSizes' | 'states' | 'alertsSeenSince'>;
  readonly partition: number;
  /** The next offset that the partition gives: what lies behind it is of another log. */
  readonly end: number;
  readonly now: number;
  readonly logger: Logger;
  /** Whether the website's signals come to this partition, and it is to be kept. */
  isOwn(websiteId: string): boolean;
}

export interface Loaded<State> {
  readonly websites: Map<string, TrackedWebsite<State>>;
  /** Stored after their website's state was saved: their records may be missing. */
  readonly newer: readonly Alert[];
}

/** What is stored of the partition's websites. @throws as `ClickHouseReader.read`; LaterReleaseError */
export async function loadPartition<State>(options: LoadOptions<State>): Promise<Loaded<State>> {
  const { store, now } = options;
  const websites = new Map<string, TrackedWebsite<State>>();
  const newer: Alert[] = [];
  const own = (await store.stateSizes()).filter(({ websiteId }) => options.isOwn(websiteId));
  for (const websiteIds of batches(own)) {
    const tracked = (await store.states(websiteIds))
      .flatMap((stored) => toTracked(stored, options) ?? [])
      .filter(({ signals }) => now - signals.delivery.storedAt < FORGOTTEN_MS);
    newer.push(...(await adoptStored(tracked, options)));
    for (const website of tracked) websites.set(website.id, website);
  }
  return { websites, newer };
}

/** Tells the websites of the alerts that are stored of them. @returns those that they did not know. */
export async function adoptStored<State>(
  websites: readonly TrackedWebsite<State>[],
  {
    core,
    store,
    now,
  }: Pick<LoadOptions<State>, 'core' | 'now'> & {
    readonly store: Pick<DetectorStore, 'alertsSeenSince'>;
  },
): Promise<Alert[]> {
  if (websites.length === 0) return [];
  const known = websites.map(({ signals }) => signals.next ?? now - FIRST_DELIVERY_MS);
  const since = Math.min(now - ADOPTED_MS, ...known);
  const stored = await store.alertsSeenSince(
    websites.map(({ id }) => id),
    since,
  );
  const byWebsite = new Map(websites.map(({ id }) => [id, [] as Alert[]]));
  for (const alert of stored) byWebsite.get(alert.websiteId)?.push(alert);
  return websites.flatMap(({ id, state, signals }) => {
    const newer = byWebsite.get(id)!.filter(({ lastSeen }) => lastSeen > (signals.next ?? 0));
    if (newer.length > 0) core.adoptAlerts(state, newer);
    return newer;
  });
}

function toTracked<State>(
  { websiteId, state, partition, offset }: StoredState,
  { core, logger, partition: own, end }: LoadOptions<State>,
): TrackedWebsite<State> | null {
  // Of another partition, from before there were more of them, or of a log before this one: its offsets say nothing here.
  const heldBefore = partition === own && offset <= end ? offset : 0;
  try {
    return decodeTracked(core, { websiteId, text: state, heldBefore });
  } catch (error) {
    if (error instanceof LaterReleaseError)
      throw new LaterReleaseError(`website ${websiteId}: ${error.message}`, { cause: error });
    logger.error({ err: error, website_id: websiteId }, 'a stored state can not be read: begun anew');
    return null;
  }
}

function batches(sizes: readonly StateSize[]): string[][] {
  const all: string[][] = [];
  let bytesOfLast = Number.POSITIVE_INFINITY;
  for (const { websiteId, bytes } of sizes) {
    if (bytesOfLast + bytes > READ_BYTES || all.at(-1)!.length >= READ_WEBSITES) {
      all.push([]);
      bytesOfLast = 0;
    }
    all.at(-1)!.push(websiteId);
    bytesOfLast += bytes;
  }
  return all;
}
