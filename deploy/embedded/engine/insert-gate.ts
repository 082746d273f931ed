import type { ClickHouse } from '../../../shared/store/client.js';

/**
 * Holds inserts into `requests` back while something works on rows and rollups together (rebuild-rollups.ts). It does not
 * reach further than the client that it wraps: other processes are stopped by whoever starts the work.
 */
export interface InsertGate {
  /** The client with its inserts into `requests` passing the gate; everything else as it is. */
  readonly clickhouse: ClickHouse;
  /** Runs `work` when every insert under way has ended; later ones wait for its end. One at a time. */
  withInsertsHeld<T>(work: () => Promise<T>): Promise<T>;
}

export function createInsertGate(clickhouse: ClickHouse): InsertGate {
  const running = new Set<Promise<void>>();
  let held: Promise<unknown> | null = null;

  async function insert(options: Parameters<ClickHouse['insert']>[0]): Promise<void> {
    if (options.table !== 'requests') return clickhouse.insert(options);
    while (held !== null) await held;
    const call = clickhouse.insert(options);
    const settled = call.catch(() => {}).finally(() => running.delete(settled));
    running.add(settled);
    return call;
  }

  return {
    clickhouse: { ...clickhouse, insert },
    async withInsertsHeld(work) {
      while (held !== null) await held;
      let open: () => void = () => {};
      held = new Promise<void>((resolve) => {
        open = resolve;
      });
      try {
        await Promise.all(running);
        return await work();
      } finally {
        held = null;
        open();
      }
    },
  };
}
