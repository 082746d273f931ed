import { Counter, Gauge, type Registry } from 'prom-client';

/**
 * Source of the rows of a read of one rollup: `memory`, or the engine. Reasons for the engine:
 * - `first`: the read may not be repeated (admit-reads.ts);
 * - `full`: other rows in use fill the memory, or those of the website fill its share;
 * - `busy`: other fills take too long;
 * - `large`: it has too many rows;
 * - `unknown`: versions of the rows are unknown, for example after a start.
 */
export type RowSource = 'memory' | 'first' | 'full' | 'busy' | 'large' | 'unknown';

/** Counts reads by the source of their rows. */
export function countRollupReads(registry: Registry): (source: RowSource) => void {
  const reads = new Counter({
    name: 'loglane_api_rollup_reads_total',
    help: 'Reads of a rollup that rows in memory can answer, by their source: memory, or the reason why the engine answered (first, full, busy, large, unknown)',
    labelNames: ['source'],
    registers: [registry],
  });
  return (source) => reads.inc({ source });
}

/** @param bytes the memory of the kept rows */
export function showKeptHours(registry: Registry, bytes: () => number): void {
  new Gauge({
    name: 'loglane_api_kept_hours_bytes',
    help: 'Memory of the rows of rollups, at most KEPT_HOURS_MAX_BYTES',
    registers: [registry],
    collect() {
      this.set(bytes());
    },
  });
}
