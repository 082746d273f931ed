import type { EventLog } from '../../shared/event-log/event-log.js';
import { countRequests } from '../../shared/requests/raw-block-codec.js';

/**
 * In one process ingest and enricher share their cores, and ingest alone takes more than both together can carry on. So
 * that lag does not grow for as long as uploads come, an append of requests waits while the enricher is behind; senders
 * feel it as a slower answer. Where nothing is stored any more (the store is away) each append waits
 * three seconds at most: the log is there for that.
 */
export interface AppendPace {
  /** The log with `append` paced; everything else as it is. */
  paced(log: EventLog): EventLog;
  /** The enricher is done with so many requests. */
  onDone(requests: number): void;
}

export interface PaceOptions {
  /** Requests that may be in the log and not in the store before appends wait. */
  readonly mostBehind: number;
  /** After so long without progress the store counts as away. */
  readonly stalledMs: number;
}

export function createAppendPace({ mostBehind, stalledMs }: PaceOptions): AppendPace {
  let behind = 0;
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
    // Requests of an earlier run were never counted in.
    behind = Math.max(0, behind - requests);
    admit(mostBehind);
    if (waiting.length > 0) stalled = setTimeout(onStalled, stalledMs).unref();
  }

  return {
    paced: (log) => ({
      ...log,
      async append(topic, records) {
        if (topic !== 'requests.raw') return log.append(topic, records);
        const requests = records.reduce((sum, { value }) => sum + countRequests(value), 0);
        await turn(requests);
        try {
          return await log.append(topic, records);
        } catch (error) {
          advance(requests);
          throw error;
        }
      },
    }),
    onDone: advance,
  };
}
