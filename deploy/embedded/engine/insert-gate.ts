import type { ClickHouse } from '../../../shared/store/client.js';

/**
 * Delays inserts into `requests` while rows and rollups are changed together (rebuild-rollups.ts). It affects only the
 * wrapped client: the caller must stop other processes.
 */
export interface InsertGate {
  /** The client. Only its inserts into `requests` pass the gate. */
  readonly clickhouse: ClickHouse;
  /** Runs `work` after all running inserts have ended; later inserts wait for its end. One `work` at a time. */
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
