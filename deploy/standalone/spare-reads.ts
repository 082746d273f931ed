import { pause } from '../../shared/pacing/pause.js';
import type { ClickHouse, ClickHouseReader } from '../../shared/store/client.js';

/**
 * In one process callers' reads and inserts of requests share the cores of the embedded engine, and a bulk load uses all cores. So
 * while callers read, an insert uses one thread and waits until no read is running. It waits at most as long as the last insert took,
 * so inserts get half of the time even if reads never pause. The pace of appends passes the lower rate on to senders.
 */
export interface SparedReads {
  /** The client for callers' reads. */
  readonly forCallers: ClickHouse;
  /** The client whose inserts into `requests` yield to these reads. */
  readonly forInserts: ClickHouse;
}

/** Callers often call again within this time, since a page of a dashboard makes several calls. */
const LATELY_MS = 2_000;
/** Limit of the wait, since a failed or stalled insert may have taken long. */
const MOST_WAIT_MS = 1_000;

/** @param now milliseconds of a monotonic clock */
export function spareReads(clickhouse: ClickHouse, now: () => number): SparedReads {
  let running = 0;
  let lastEnded = Number.NEGATIVE_INFINITY;
  let lastInsertMs = 0;
  let idle = Promise.resolve();
  let becomeIdle = () => {};

  const read: ClickHouseReader['read'] = async (query) => {
    if (running === 0) {
      idle = new Promise((resolve) => {
        becomeIdle = resolve;
      });
    }
    running += 1;
    try {
      return await clickhouse.read(query);
    } finally {
      running -= 1;
      lastEnded = now();
      if (running === 0) becomeIdle();
    }
  };

  async function giveWay(): Promise<void> {
    const waited = new AbortController();
    await Promise.race([idle, pause(Math.min(lastInsertMs, MOST_WAIT_MS), waited.signal)]);
    waited.abort();
  }

  async function insert(options: Parameters<ClickHouse['insert']>[0]): Promise<void> {
    if (options.table !== 'requests') return clickhouse.insert(options);
    const givesWay = running > 0 || now() - lastEnded < LATELY_MS;
    if (givesWay) await giveWay();
    const started = now();
    await clickhouse.insert(givesWay ? { ...options, threads: 1 } : options);
    lastInsertMs = now() - started;
  }

  return { forCallers: { ...clickhouse, read }, forInserts: { ...clickhouse, insert } };
}
