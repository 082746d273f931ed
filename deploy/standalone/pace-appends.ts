import type { EventLog, NewRecord, Position } from '../../shared/event-log/event-log.js';
import { createCounter } from '../../shared/pacing/counter.js';
import { createFairQueue } from '../../shared/pacing/fair-queue.js';
import { createRateBound } from '../../shared/pacing/rate-bound.js';
import { expandedBytes, weighRequests } from '../../shared/requests/columns/raw-block-codec.js';

/**
 * In one process ingest and enricher share the CPU, and ingest is faster than the enricher. To bound the consumer lag, an append
 * of requests waits while the enricher is behind. Senders get slower answers, and appends alternate between websites. If the store
 * makes no progress for `stalledMs`, appends no longer wait: the log buffers the requests.
 */
export interface AppendPace {
  /** The log with a paced `append`. */
  paced(log: EventLog): EventLog;
  /**
   * Call it when the enricher has passed this offset of the partition. Records up to it stop counting, whether they were
   * stored, refused, duplicates, or dropped by age.
   */
  onDone(partition: number, offset: number): void;
}

export interface PaceOptions {
  /** Limit of unstored requests if the store is slow; above it, appends wait. */
  readonly leastBehind: number;
  /** Limit if the store is fast. Between both, the limit is the number of requests that the store stores in `SECONDS_BEHIND`. */
  readonly mostBehind: number;
  /** A block counts as one request per so many bytes (with each text in its row), if this exceeds its number of requests. */
  readonly bytesPerRequest: number;
  /** After this time without progress the store counts as unavailable. */
  readonly stalledMs: number;
}

/**
 * Limit of unstored requests, in seconds of the store's rate, within the bounds of `PaceOptions`: a range that is being stored, and the next
 * one. At full load this is less than two full ranges (range-queue.ts), since the second is rarely full before the first is stored.
 */
const SECONDS_BEHIND = 0.75;

/** Most separate entries of a partition. Further appends are merged into the last, so memory is bounded if the store is unavailable. */
export const MOST_ENTRIES = 1_000;

/**
 * Reserve for websites with few unstored requests, as a share of the limit, so they do not wait for other websites. It is divided
 * among all websites with unstored requests. Together they therefore exceed the limit by little more than the reserve and one append
 * each.
 */
const RESERVE = 1 / 8;

interface Entry {
  offset: number;
  /** By website, in requests. */
  readonly costs: Map<string, number>;
}

export function createAppendPace({
  leastBehind,
  mostBehind,
  bytesPerRequest,
  stalledMs,
}: PaceOptions): AppendPace {
  const bound = createRateBound({
    least: leastBehind,
    most: mostBehind,
    seconds: SECONDS_BEHIND,
    now: () => performance.now(),
  });
  /** By website, in requests. */
  const behind = createCounter();
  /** Appends in the log that the enricher has not passed, in the order of the partition. */
  const held = new Map<number, Entry[]>();
  const passed = new Map<number, number>();
  const waiting = createFairQueue<{ cost: number; go: () => void }>();
  let stalled: NodeJS.Timeout | undefined;
  let away = false;

  /** Long requests, and those with many distinct texts, count more, since the enricher's ranges are limited by both. */
  function costOf({ value }: NewRecord): number {
    return Math.max(weighRequests(value), Math.ceil(expandedBytes(value) / bytesPerRequest));
  }

  function mayGo(websiteId: string): boolean {
    const most = bound.value();
    if (away || behind.total() < most) return true;
    const own = behind.of(websiteId);
    return own < (most * RESERVE) / Math.max(1, behind.keys() + (own === 0 ? 1 : 0));
  }

  /** Alternates between websites, and counts each append before it checks the next. */
  function admit(): void {
    for (let next = waiting.take(mayGo); next !== null; next = waiting.take(mayGo)) {
      behind.add(next.owner, next.item.cost);
      next.item.go();
    }
    if (waiting.size() > 0) stalled ??= setTimeout(onStalled, stalledMs).unref();
  }

  function turn(websiteId: string, cost: number): Promise<void> {
    const admitted = new Promise<void>((go) => waiting.add(websiteId, { cost, go }));
    admit();
    return admitted;
  }

  function onStalled(): void {
    stalled = undefined;
    away = true;
    admit();
  }

  function release(costs: Iterable<readonly [websiteId: string, cost: number]>): void {
    for (const [websiteId, cost] of costs) behind.add(websiteId, -cost);
    admit();
  }

  function hold({ partition, offset }: Position, websiteId: string, cost: number): void {
    // The enricher may pass the offset before the log answers.
    if (offset <= (passed.get(partition) ?? -1)) {
      release([[websiteId, cost]]);
      return;
    }
    const entries = held.get(partition) ?? [];
    held.set(partition, entries);
    const last = entries.at(-1);
    // Answers may arrive out of order, so an entry ends at the highest of its offsets.
    if (last !== undefined && (offset <= last.offset || entries.length >= MOST_ENTRIES)) {
      last.offset = Math.max(last.offset, offset);
      last.costs.set(websiteId, (last.costs.get(websiteId) ?? 0) + cost);
    } else entries.push({ offset, costs: new Map([[websiteId, cost]]) });
  }

  function onDone(partition: number, offset: number): void {
    clearTimeout(stalled);
    stalled = undefined;
    away = false;
    passed.set(partition, offset);
    const entries = held.get(partition) ?? [];
    const first = entries.findIndex((entry) => entry.offset > offset);
    const done = entries.splice(0, first < 0 ? entries.length : first);
    const costs = done.flatMap((entry) => [...entry.costs]);
    bound.count(costs.reduce((sum, [, cost]) => sum + cost, 0));
    release(costs);
  }

  return {
    paced: (log) => ({
      ...log,
      async append(topic, records, partitions) {
        if (topic !== 'requests.raw') return log.append(topic, records, partitions);
        if (records[0] === undefined) return [];
        // The records of one append belong to one website. For a replay of the operator, the first record's website counts.
        const websiteId = websiteOf(records[0]);
        const costs = records.map(costOf);
        const all = costs.reduce((sum, cost) => sum + cost, 0);
        await turn(websiteId, all);
        try {
          const positions = await log.append(topic, records, partitions);
          for (const [index, position] of positions.entries())
            hold(position, websiteId, costs[index] as number);
          return positions;
        } catch (error) {
          release([[websiteId, all]]);
          throw error;
        }
      },
    }),
    onDone,
  };
}

/** Keys are `<website>/<end>` (services/ingest). */
function websiteOf({ key }: NewRecord): string {
  return key.split('/', 1)[0] as string;
}
