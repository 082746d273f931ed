import { ENRICHER_GROUP } from './consumer-groups.js';
import type { EventLog } from './event-log.js';

/** Computes the time up to which every upload is stored, from observations of the log. */

export interface UploadsLook {
  /** Milliseconds since the epoch, before the observation began. */
  readonly at: number;
  /** The enrichers' committed offsets in `requests.raw`. Partitions without a commit are absent. */
  readonly committed: ReadonlyMap<number, number>;
  /** Oldest and next offset of each partition of `requests.raw`. */
  readonly raw: ReadonlyMap<number, { readonly oldest: number; readonly next: number }>;
}

export async function lookAtUploads(
  log: Pick<EventLog, 'offsets' | 'committed'>,
  at: number,
): Promise<UploadsLook> {
  const raw = await log.offsets('requests.raw');
  const commits = await log.committed('requests.raw', ENRICHER_GROUP);
  return { at, raw, committed: new Map([...commits].map(([partition, { offset }]) => [partition, offset])) };
}

/** Stored observations. Beyond this, every second one is dropped, and the time advances in larger steps. */
const MOST_LOOKS = 120;

/**
 * Pure. While the enrichers lag, the time does not advance.
 * @returns a function that takes an observation and returns milliseconds since the epoch; 0: unknown yet
 */
export function createStoredThrough(): (seen: UploadsLook) => number {
  let waiting: Pick<UploadsLook, 'at' | 'raw'>[] = [];
  let stored = 0;
  return (seen) => {
    waiting.push({ at: seen.at, raw: seen.raw });
    const done = waiting.findLastIndex(({ raw }) => isStored(raw, seen));
    if (done >= 0) {
      stored = waiting.at(done)!.at;
      waiting = waiting.slice(done + 1);
    }
    waiting = thinned(waiting);
    return stored;
  };
}

/** Whether the enrichers have committed beyond these ends. Expired unread records count as stored. */
function isStored(raw: UploadsLook['raw'], seen: UploadsLook): boolean {
  return [...raw].every(([partition, { next }]) => {
    const oldest = seen.raw.get(partition)?.oldest ?? 0;
    return Math.max(seen.committed.get(partition) ?? 0, oldest) >= next;
  });
}

/** The observations to keep. */
export function thinned<Item>(items: Item[]): Item[] {
  return items.length > MOST_LOOKS ? items.filter((_item, index) => index % 2 === 1) : items;
}
