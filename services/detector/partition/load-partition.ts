import { DAY_MS } from '../../../shared/durations.js';
import { inPieces } from '../../../shared/in-pieces.js';
import type { StateSize, StoredState } from '../../../shared/queries/detector-states.js';
import type { DetectorCore } from '../core.js';
import type { DetectorStore } from '../detector-store.js';
import { isTooMuch } from '../keep-trying.js';
import { type AdoptionDependencies, adoptStored } from './adopt-stored.js';
import { decodeTracked, MAX_STATE_BYTES, type TrackedWebsite } from './tracked-website.js';

/** A website that sent nothing for so long is forgotten. */
export const FORGOTTEN_MS = 40 * DAY_MS;
/** Of one read: an answer is held as text and as objects. */
const READ_BYTES = MAX_STATE_BYTES;
const READ_WEBSITES = 200;

export interface LoadOptions<State> extends AdoptionDependencies<State> {
  readonly core: DetectorCore<State>;
  readonly store: Pick<DetectorStore, 'stateSizes' | 'states' | 'alertsSeen'>;
  readonly partition: number;
  /** The next offset that each partition gives: what lies behind it is of another log. */
  readonly ends: ReadonlyMap<number, number>;
  /** Whether the website's signals come to this partition, and it is to be kept. */
  isOwn(websiteId: string): boolean;
}

/**
 * What is stored of the partition's websites. One whose state can't be read is left out and begins anew: no website's row may keep the
 * others of its partition from being watched. @throws as `ClickHouseReader.read` and `tell`
 */
export async function loadPartition<State>(
  options: LoadOptions<State>,
): Promise<Map<string, TrackedWebsite<State>>> {
  const websites = new Map<string, TrackedWebsite<State>>();
  const own = (await options.store.stateSizes()).filter(({ websiteId }) => options.isOwn(websiteId));
  const readable = own.filter((size) => {
    if (size.bytes > MAX_STATE_BYTES) beginAnew(size, options);
    return size.bytes <= MAX_STATE_BYTES;
  });
  for (const websiteIds of batches(readable)) {
    const tracked = (await readStates(websiteIds, options))
      .flatMap((stored) => toTracked(stored, options) ?? [])
      .filter(({ signals }) => options.now - signals.delivery.storedAt < FORGOTTEN_MS);
    await adoptStored(tracked, options);
    for (const website of tracked) websites.set(website.id, website);
  }
  return websites;
}

async function readStates<State>(
  websiteIds: readonly string[],
  options: LoadOptions<State>,
): Promise<StoredState[]> {
  try {
    return await options.store.states(websiteIds);
  } catch (error) {
    if (!isTooMuch(error)) throw error;
    if (websiteIds.length === 1) {
      beginAnew({ websiteId: websiteIds[0]!, error }, options);
      return [];
    }
    const read: StoredState[] = [];
    for (const half of inPieces(websiteIds, Math.ceil(websiteIds.length / 2)))
      read.push(...(await readStates(half, options)));
    return read;
  }
}

function beginAnew(
  { websiteId, bytes, error }: { websiteId: string; bytes?: number; error?: unknown },
  { logger }: Pick<LoadOptions<unknown>, 'logger'>,
): void {
  logger.error({ err: error, website_id: websiteId, bytes }, 'a stored state can not be read: begun anew');
}

function toTracked<State>(
  { websiteId, state, partition, offset }: StoredState,
  { core, logger, partition: own, ends }: LoadOptions<State>,
): TrackedWebsite<State> | null {
  try {
    const website = decodeTracked(core, { websiteId, text: state, heldBefore: 0 });
    const { held } = website.signals;
    held.set(partition, offset);
    // Of a log before this one: its offsets say nothing here.
    for (const [one, before] of held) if (before > (ends.get(one) ?? 0)) held.delete(one);
    const heldBefore = held.get(own) ?? 0;
    held.delete(own);
    return { ...website, heldBefore };
  } catch (error) {
    beginAnew({ websiteId, error }, { logger });
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
