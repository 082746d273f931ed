import type { ControlEvent, Decision } from '../../../shared/control/domain/event.js';
import type { Logger } from '../../../shared/logging/log.js';
import type { ClickHouseWriter } from '../../../shared/store/client.js';
import { insertRows, type RowValue } from '../../../shared/store/insert-rows.js';

/**
 * Copies control events that are too large for memory, or must be searchable, into ClickHouse. Every API replica writes all events that
 * it folds, and after a restart again the events since the snapshot. Writes are idempotent: tables replace rows by log offset, so a row
 * that is written twice exists once.
 */

/** A table and its row for an event. */
export interface ProjectedTable {
  readonly table: string;
  /** Values by column, without `log_offset`; null: no row for this event. */
  rowOf(event: ControlEvent, decision: Decision): Readonly<Record<string, RowValue>> | null;
  /** Rows of earlier events that this event deletes, also after a restart. */
  erasedBy?(event: ControlEvent): Erasure | null;
}

export interface Projection {
  /** Takes applied decisions, in log order. */
  onApplied(decision: Decision, offset: number): void;
  /** Resolves when all taken decisions are stored, for callers that read their own writes. */
  flushed(): Promise<void>;
  /** Writes the waiting rows, if ClickHouse answers. */
  stop(): Promise<void>;
}

export interface ProjectionOptions {
  readonly clickhouse: ClickHouseWriter;
  readonly tables: readonly ProjectedTable[];
  readonly logger: Logger;
  readonly retryMs?: number;
}

/** Rows to be deleted, by the value of a column. */
interface Erasure {
  readonly column: string;
  readonly value: string;
}

/** A change of a decision in a table. */
interface Change {
  readonly decisionId: string;
  readonly row?: Readonly<Record<string, RowValue>>;
  readonly erasure?: Erasure;
}

/** Rows of one insert. */
const MOST_ROWS = 5_000;

export function createProjection(options: ProjectionOptions): Projection {
  const { clickhouse, tables, logger, retryMs = 1_000 } = options;
  const waiting = new Map<ProjectedTable, Change[]>(tables.map((table) => [table, []]));
  let running: Promise<void> | null = null;
  let stopping = false;
  let wake: () => void = () => {};

  async function flush(): Promise<void> {
    for (const [table, changes] of waiting) {
      while (changes.length > 0) await flushSome(table, changes);
    }
  }

  /** Writes the next erasure, or the rows before it. */
  async function flushSome({ table }: ProjectedTable, changes: Change[]): Promise<void> {
    const first = changes[0]!;
    if (first.erasure !== undefined) {
      const { column, value } = first.erasure;
      const sql = `ALTER TABLE ${table} DELETE WHERE ${column} = {value: String}`;
      await clickhouse.command(sql, { value }, { mutations_sync: 1 });
      changes.shift();
      return;
    }
    const end = changes.findIndex(({ erasure }) => erasure !== undefined);
    const batch = changes.slice(0, Math.min(MOST_ROWS, end < 0 ? changes.length : end));
    await insertRows(clickhouse, {
      table,
      rows: batch.flatMap(({ row }) => (row === undefined ? [] : [row])),
      deduplicationToken: [table, first.decisionId, batch.at(-1)!.decisionId, batch.length].join('/'),
    });
    changes.splice(0, batch.length);
  }

  const isEmpty = () => [...waiting.values()].every((changes) => changes.length === 0);

  /** Runs until nothing waits or the process stops; retries while the store is unavailable. */
  async function run(): Promise<void> {
    while (!isEmpty()) {
      try {
        await flush();
      } catch (error) {
        if (stopping) throw error;
        logger.warn({ err: error }, 'projection not stored, retrying');
        await new Promise<void>((resolve) => {
          wake = resolve;
          setTimeout(resolve, retryMs).unref();
        });
      }
    }
  }

  function start(): Promise<void> {
    running ??= run().finally(() => {
      running = null;
    });
    return running;
  }

  return {
    onApplied(decision, offset) {
      for (const [table, changes] of waiting) {
        for (const event of decision.events) {
          const erasure = table.erasedBy?.(event) ?? null;
          if (erasure !== null) changes.push({ decisionId: decision.id, erasure });
          const row = table.rowOf(event, decision);
          if (row !== null) changes.push({ decisionId: decision.id, row: { ...row, log_offset: offset } });
        }
      }
      if (!isEmpty()) start().catch(() => {});
    },
    flushed: start,
    async stop() {
      stopping = true;
      wake();
      await start().catch((error: unknown) =>
        logger.warn({ err: error }, 'projection stopped with unwritten rows; the next start writes them'),
      );
    },
  };
}
