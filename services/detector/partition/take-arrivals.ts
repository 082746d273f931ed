import { decodeStoredRecord, type StoredRecord } from '../../../shared/detection/arrival-codec.js';
import type { LogRecord } from '../../../shared/event-log/event-log.js';
import type { Logger } from '../../../shared/logging/log.js';
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
  forward(records: readonly LogRecord[]): Promise<void>;
  readonly trying: Trying;
  readonly metrics: Pick<DetectorMetrics, 'arrivals' | 'unreadable'>;
  readonly logger: Logger;
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
  async function passOn(foreign: readonly LogRecord[]): Promise<void> {
    if (foreign.length === 0) return;
    await keepTrying(() => deps.forward(foreign), trying);
  }

  return async (records) => {
    const foreign: LogRecord[] = [];
    const own: StoredRecord[] = [];
    for (const record of records) {
      const read = readable(record);
      if (read === null) continue;
      // Requests to forget are carried out for erased websites too: the erasure waits for them.
      if (read.kind === 'arrival' && deps.isErased(read.websiteId)) continue;
      if (deps.isOwn(read.websiteId)) own.push(read);
      else foreign.push(record);
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
