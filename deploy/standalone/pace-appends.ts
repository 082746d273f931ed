import type { EventLog, NewRecord, Position } from '../../shared/event-log/event-log.js';
import { createCounter } from '../../shared/pacing/counter.js';
import { createFairQueue } from '../../shared/pacing/fair-queue.js';
import { createRateBound } from '../../shared/pacing/rate-bound.js';
import { expandedBytes, weighRequests } from '../../shared/requests/columns/raw-block-codec.js';

/**
 * In one process ingest and enricher share their cores, and ingest alone takes more than both together can carry on. So
 * that lag does not grow for as long as uploads come, an append of requests waits while the enricher is behind; senders
 * feel it as a slower answer, and websites take turns. Where nothing is stored any more (the store is away) an append waits no
 * longer than that takes to tell: the log is there for it.
 */
export interface AppendPace {
  /** The log with `append` paced; everything else as it is. */
  paced(log: EventLog): EventLog;
  /**
   * The enricher is past this offset of the partition. Records up to it no longer count as waiting, whether they were
   * stored, refused, repeats, or dropped by age before they were read.
   */
  onDone(partition: number, offset: number): void;
}

export interface PaceOptions {
  /** Requests that may be in the log and not in the store before appends wait, where the store takes few a second. */
  readonly leastBehind: number;
  /** The most, however many it takes. Between the two it is as many as the store takes in `SECONDS_BEHIND`. */
  readonly mostBehind: number;
  /** A block counts as one request for each of so many bytes (with each text in its row), where that is more than its requests weigh. */
  readonly bytesPerRequest: number;
  /** After so long without progress the store counts as away. */
  readonly stalledMs: number;
}

/**
 * What may wait in the log is what the store takes in this time, within the two bounds of `PaceOptions`: a range that is being stored, and the next
 * one. At full load that is less than two full ranges (range-queue.ts): the next is rarely full before the first is stored.
 */
const SECONDS_BEHIND = 0.75;

/** Appends of a partition that are told apart; further ones are done together, so that a store that is away costs no memory. */
export const MOST_ENTRIES = 1_000;

/**
 * Beyond what may be behind, as a share of it, for websites that have little behind: so they never wait for what others sent. It is
 * divided among the websites that have anything behind, so that many of them together take little more than it, and one
 * append each.
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
  /** What the log holds and the enricher is not past, in the order of the partition. */
  const held = new Map<number, Entry[]>();
  const passed = new Map<number, number>();
  const waiting = createFairQueue<{ cost: number; go: () => void }>();
  let stalled: NodeJS.Timeout | undefined;
  let away = false;

  /** Long requests, and those with many different texts, count as so many more: the enricher's ranges close by both, too. */
  function costOf({ value }: NewRecord): number {
    return Math.max(weighRequests(value), Math.ceil(expandedBytes(value) / bytesPerRequest));
  }

  function mayGo(websiteId: string): boolean {
    const most = bound.value();
    if (away || behind.total() < most) return true;
    const own = behind.of(websiteId);
    return own < (most * RESERVE) / Math.max(1, behind.keys() + (own === 0 ? 1 : 0));
  }

  /** Websites take turns; each append is counted before the next is looked at. */
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
    // The enricher may be quicker than the log's answer.
    if (offset <= (passed.get(partition) ?? -1)) {
      release([[websiteId, cost]]);
      return;
    }
    const entries = held.get(partition) ?? [];
    held.set(partition, entries);
    const last = entries.at(-1);
    // Answers may come out of order: an entry ends at the furthest of its places.
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
        // Records of one append are of one website; of those that an operator sends again, the first one's counts for all.
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
