import type { ClickHouseWriter } from '../../../shared/clickhouse/client.js';
import type { ControlEvent, Decision } from '../../../shared/control/event.js';
import type { Logger } from '../../../shared/log.js';

/**
 * Copies control events that are too large for memory, or must be searched, into ClickHouse. Every API replica writes all that
 * it folds, and after a restart again what came since the snapshot. Writes are idempotent: tables replace by place in the log,
 * so a row that is written twice is there once.
 */

/** A table and the row that an event leaves in it. */
export interface ProjectedTable {
  readonly table: string;
  /** The last must be `log_offset`. */
  readonly columns: readonly string[];
  /** Values in the order of the columns but for `log_offset`; null: this event leaves none. */
  rowOf(event: ControlEvent, decision: Decision): readonly (string | boolean)[] | null;
  /** The rows that an event takes away, by the value of a column: those that earlier events left, after a restart too. */
  erasedBy?(event: ControlEvent): { readonly column: string; readonly value: string } | null;
}

export interface Projection {
  /** Takes applied decisions, in the order of their places in the log. */
  onApplied(decision: Decision, offset: number): void;
  /** Resolves when all that was taken is stored; for those who must read what they wrote. */
  flushed(): Promise<void>;
  /** Writes what waits, if ClickHouse answers. */
  stop(): Promise<void>;
}

export interface ProjectionOptions {
  readonly clickhouse: ClickHouseWriter;
  readonly tables: readonly ProjectedTable[];
  readonly logger: Logger;
  readonly retryMs?: number;
}

interface Row {
  readonly decisionId: string;
  /** A line to be inserted, or rows to be deleted. */
  readonly line: string | { readonly column: string; readonly value: string };
}

/** More rows than a flush needs: one insert, well below any limit. */
const MOST_ROWS = 5_000;

export function createProjection(options: ProjectionOptions): Projection {
  const { clickhouse, tables, logger, retryMs = 1_000 } = options;
  const waiting = new Map<ProjectedTable, Row[]>(tables.map((table) => [table, []]));
  let running: Promise<void> | null = null;
  let stopping = false;
  let wake: () => void = () => {};

  async function flush(): Promise<void> {
    for (const [table, rows] of waiting) {
      while (rows.length > 0) {
        const { line } = rows[0]!;
        if (typeof line !== 'string') {
          await clickhouse.command(
            `ALTER TABLE ${table.table} DELETE WHERE ${line.column} = {value: String}`,
            { value: line.value },
            { mutations_sync: 1 },
          );
          rows.shift();
          continue;
        }
        const end = rows.findIndex((row) => typeof row.line !== 'string');
        const batch = rows.slice(0, Math.min(MOST_ROWS, end < 0 ? rows.length : end));
        await clickhouse.insert({
          table: table.table,
          columns: table.columns,
          rows: Buffer.from(batch.map(({ line }) => line).join('')),
          deduplicationToken: [
            table.table,
            batch[0]!.decisionId,
            batch.at(-1)!.decisionId,
            batch.length,
          ].join('/'),
        });
        rows.splice(0, batch.length);
      }
    }
  }

  const isEmpty = () => [...waiting.values()].every((rows) => rows.length === 0);

  /** Until nothing waits, or the process stops; a store that is away is asked again. */
  async function run(): Promise<void> {
    while (!isEmpty()) {
      try {
        await flush();
      } catch (error) {
        if (stopping) throw error;
        logger.warn({ err: error }, 'projection not stored, trying again');
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
      for (const [table, rows] of waiting) {
        for (const event of decision.events) {
          const erased = table.erasedBy?.(event) ?? null;
          if (erased !== null) rows.push({ decisionId: decision.id, line: erased });
          const values = table.rowOf(event, decision);
          if (values !== null)
            rows.push({ decisionId: decision.id, line: toLine([...values, String(offset)]) });
        }
      }
      if (!isEmpty()) start().catch(() => {});
    },
    flushed: start,
    async stop() {
      stopping = true;
      wake();
      await start().catch((error: unknown) =>
        logger.warn({ err: error }, 'projection stopped with rows that the next start writes'),
      );
    },
  };
}

function toLine(values: readonly (string | boolean)[]): string {
  return `${values.map((value) => escaped(String(value))).join('\t')}\n`;
}

/** TabSeparated: what would end a field or a line is written with a backslash. */
function escaped(text: string): string {
  return text.replace(/[\\\t\n\r\0]/g, (character) => escapes.get(character)!);
}

const escapes: ReadonlyMap<string, string> = new Map([
  ['\\', '\\\\'],
  ['\t', '\\t'],
  ['\n', '\\n'],
  ['\r', '\\r'],
  ['\0', '\\0'],
]);
