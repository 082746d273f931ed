import {
  decodeStoredRecord,
  forwardedRecord,
  type StoredRecord,
} from '../../../shared/detection/arrival-codec.js';
import { SECOND_MS } from '../../../shared/durations.js';
import type { LogRecord, NewRecord } from '../../../shared/event-log/event-log.js';
import type { Logger } from '../../../shared/logging/log.js';
import { pause } from '../../../shared/pacing/pause.js';
import { createTurns } from '../../../shared/pacing/turns.js';
import { takeArrival } from '../arrivals/website-arrivals.js';
import type { DetectorMetrics } from './detector-metrics.js';
import { keepTrying, type Trying } from './keep-trying.js';
import { newTrackedWebsite, type TrackedWebsite } from './tracked-website.js';

/** The memory of an owner, shared by the parts of its work. */
export interface PartitionMemory {
  readonly websites: Map<string, TrackedWebsite>;
  /** The next offset to note. */
  position: number;
  /** Requests to forget an address that are not carried out yet. Address '': only save. */
  readonly toForget: { readonly websiteId: string; readonly address: string }[];
}

export interface TakingDependencies {
  readonly partition: number;
  readonly memory: PartitionMemory;
  /** Whether the website belongs to this partition. */
  isOwn(websiteId: string): boolean;
  isErased(websiteId: string): boolean;
  /** Appends records to `requests.stored` again, to the partition they belong to now. */
  forward(records: readonly NewRecord[]): Promise<void>;
  readonly trying: Trying;
  readonly metrics: Pick<DetectorMetrics, 'arrivals' | 'unreadable' | 'unowned'>;
  readonly logger: Logger;
}

/**
 * Owners may disagree about the number of partitions until the leader of their group has seen added ones. Each
 * further forward waits longer, for more than two minutes together. A record that then still has no owner is
 * left out: later arrivals of the website close its intervals, with all stored requests.
 */
const MOST_FORWARDS = 20;
const FIRST_PAUSE_MS = SECOND_MS / 10;
const LONGEST_PAUSE_MS = 10 * SECOND_MS;

interface ForeignRecord {
  readonly value: Buffer;
  readonly forwards: number;
}

/**
 * @returns a function that notes the partition's records in order. A repeated record changes nothing. It
 * throws PartitionLeftError.
 */
export function createArrivalTaker(
  deps: TakingDependencies,
): (records: readonly LogRecord[]) => Promise<void> {
  const { partition, memory, metrics, logger, trying } = deps;
  const giveTurn = createTurns();

  function readable({ value, offset }: LogRecord): StoredRecord | null {
    try {
      return decodeStoredRecord(value);
    } catch (error) {
      metrics.unreadable.inc();
      logger.error({ err: error, partition, offset }, 'a record of requests.stored cannot be read: left out');
      return null;
    }
  }

  function logUnowned({ kind, websiteId, forwards }: StoredRecord, { offset }: LogRecord): void {
    metrics.unowned.inc();
    logger.error(
      { partition, offset, kind, website_id: websiteId, forwards },
      'a record of requests.stored has no owner among the detectors: left out',
    );
  }

  function take(read: StoredRecord): void {
    if (read.kind === 'forget') {
      memory.toForget.push({ websiteId: read.websiteId, address: read.address });
      return;
    }
    metrics.arrivals.inc();
    const website = memory.websites.get(read.websiteId) ?? newTrackedWebsite(read.websiteId);
    memory.websites.set(website.id, website);
    takeArrival(website.arrivals, read.arrival);
    website.isChanged = true;
  }

  /**
   * After partitions were added, these records belong to another owner. Senders may learn of the new
   * partitions earlier or later than this owner.
   */
  async function passOn(foreign: readonly ForeignRecord[]): Promise<void> {
    if (foreign.length === 0) return;
    const forwards = Math.max(...foreign.map((record) => record.forwards));
    if (forwards > 0)
      await pause(Math.min(FIRST_PAUSE_MS * 2 ** (forwards - 1), LONGEST_PAUSE_MS), trying.left);
    await keepTrying(() => deps.forward(foreign.map(({ value }) => forwardedRecord(value))), trying);
  }

  return async (records) => {
    const foreign: ForeignRecord[] = [];
    const own: StoredRecord[] = [];
    for (const record of records) {
      const read = readable(record);
      if (read === null) continue;
      // Requests to forget are carried out for erased websites too: the erasure waits for them.
      if (read.kind === 'arrival' && deps.isErased(read.websiteId)) continue;
      if (deps.isOwn(read.websiteId)) own.push(read);
      else if (read.forwards < MOST_FORWARDS) foreign.push({ value: record.value, forwards: read.forwards });
      else logUnowned(read, record);
    }
    await passOn(foreign);
    for (const read of own) {
      if (trying.left.aborted) return;
      take(read);
      await giveTurn();
    }
    memory.position = Math.max(memory.position, records.at(-1)!.offset + 1);
  };
}
