import type { Registry } from 'prom-client';
import type { DataChange } from '../../../shared/changes/data-change.js';
import type { Config } from '../../../shared/config.js';
import type { EventLog } from '../../../shared/event-log/event-log.js';
import type { Logger } from '../../../shared/logging/log.js';
import type { ClickHouse } from '../../../shared/store/client.js';
import type { EnrichBlock } from '../block/enriched-block.js';
import type { KeptOfVisitors } from '../block/kept-of-visitors.js';

/** The dependencies of the enricher. */
export interface EnricherDependencies {
  readonly log: EventLog;
  readonly clickhouse: ClickHouse;
  readonly enrich: EnrichBlock;
  /** Retention of the website's rows in days, by its organisation's plan. */
  retentionDays(websiteId: string): number;
  /** Which data the website stores about its visitors; absent: everything. */
  privacyOf?(websiteId: string): KeptOfVisitors;
  /** Records of an erased website can arrive until retention deletes them. Nothing of them is stored. */
  isErased?(websiteId: string): boolean;
  readonly config: Pick<Config, 'ENRICHER_BATCH_ROWS' | 'ENRICHER_BATCH_BYTES' | 'ENRICHER_BATCH_LINGER_MS'>;
  now(): number;
  readonly logger: Logger;
  readonly registry: Registry;
  /**
   * Fires when a stopping process has used its time for running work. Unfinished ranges are left to the next
   * owner. Absent: no limit.
   */
  readonly drained?: AbortSignal | undefined;
  /** Everything up to this offset of the partition is stored, dead, a repeat, or deleted by retention. */
  onDone?(partition: number, offset: number): void;
  /** Rows or verdicts may have changed in the store. A failed insert may have succeeded there. */
  onStored?(changes: Iterable<DataChange>): void;
  /** The service cannot continue. The process should exit and be restarted. */
  onCrash(error: Error): void;
}
