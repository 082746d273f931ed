import type { EventLog, Position } from '../../shared/event-log/event-log.js';
import { countRequests } from '../../shared/requests/raw-block-codec.js';

/**
 * In one process ingest and enricher share their cores, and ingest alone takes more than both together can carry on. So
 * that lag does not grow for as long as uploads come, an append of requests waits while the enricher is behind; senders
 * feel it as a slower answer. Where nothing is stored any more (the store is away) an append waits no
 * longer than that takes to tell: the log is there for it.
 */
export interface AppendPace {
  /** The log with `append` paced; everything else as it is. */
  paced(log: EventLog): EventLog;
  /**
   * The enricher is past this place of the partition. What stands up to it is behind nobody any more, whether it was
   * stored, refused, a repeat, or dropped by age before it was read.
   */
  onDone(partition: number, offset: number): void;
}

export interface PaceOptions {
  /** Requests that may be in the log and not in the store before appends wait. */
  readonly mostBehind: number;
  /** After so long without progress the store counts as away. */
  readonly stalledMs: number;
}

/** Appends of a partition that are told apart; further ones are done together, so that a store that is away costs no memory. */
export const MOST_ENTRIES = 1_000;

export function createAppendPace({ mostBehind, stalledMs }: PaceOptions): AppendPace {
  let behind = 0;
  /** What the log holds and the enricher is not past, in the order of the partition. */
  const held = new Map<number, { offset: number; requests: number }[]>();
  const passed = new Map<number, number>();
  const waiting: { requests: number; go: () => void }[] = [];
  let stalled: NodeJS.Timeout | undefined;

  /** First come, first served, each counted before the next is looked at. */
  function admit(limit: number): void {
    while (behind < limit && waiting.length > 0) {
      const next = waiting.shift() as (typeof waiting)[number];
      behind += next.requests;
      next.go();
    }
  }

  function turn(requests: number): Promise<void> {
    const admitted = new Promise<void>((go) => waiting.push({ requests, go }));
    admit(mostBehind);
    if (waiting.length > 0) stalled ??= setTimeout(onStalled, stalledMs).unref();
    return admitted;
  }

  function onStalled(): void {
    stalled = undefined;
    admit(Number.POSITIVE_INFINITY);
  }

  function advance(requests: number): void {
    clearTimeout(stalled);
    stalled = undefined;
    behind -= requests;
    admit(mostBehind);
    if (waiting.length > 0) stalled = setTimeout(onStalled, stalledMs).unref();
  }

  function hold({ partition, offset }: Position, requests: number): void {
    // The enricher may be quicker than the log's answer.
    if (offset <= (passed.get(partition) ?? -1)) {
      advance(requests);
      return;
    }
    const entries = held.get(partition) ?? [];
    held.set(partition, entries);
    const last = entries.at(-1);
    // Answers may come out of order: an entry ends at the furthest of its places.
    if (last !== undefined && (offset <= last.offset || entries.length >= MOST_ENTRIES)) {
      last.offset = Math.max(last.offset, offset);
      last.requests += requests;
    } else entries.push({ offset, requests });
  }

  function onDone(partition: number, offset: number): void {
    passed.set(partition, offset);
    const entries = held.get(partition) ?? [];
    const first = entries.findIndex((entry) => entry.offset > offset);
    const done = entries.splice(0, first < 0 ? entries.length : first);
    advance(done.reduce((sum, { requests }) => sum + requests, 0));
  }

  return {
    paced: (log) => ({
      ...log,
      async append(topic, records) {
        if (topic !== 'requests.raw') return log.append(topic, records);
        const requests = records.map(({ value }) => countRequests(value));
        const all = requests.reduce((sum, one) => sum + one, 0);
        await turn(all);
        try {
          const positions = await log.append(topic, records);
          for (const [index, position] of positions.entries()) hold(position, requests[index] as number);
          return positions;
        } catch (error) {
          advance(all);
          throw error;
        }
      },
    }),
    onDone,
  };
}
