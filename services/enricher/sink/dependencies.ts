import type { Registry } from 'prom-client';
import type { Config } from '../../../shared/config.js';
import type { EventLog } from '../../../shared/event-log/event-log.js';
import type { Logger } from '../../../shared/logging/log.js';
import type { ClickHouse } from '../../../shared/store/client.js';
import type { EnrichBlock } from '../block/enriched-block.js';
import type { KeptOfVisitors } from '../block/kept-of-visitors.js';

/** What the enricher is put together from. */
export interface EnricherDependencies {
  readonly log: EventLog;
  readonly clickhouse: ClickHouse;
  readonly enrich: EnrichBlock;
  /** Days that rows of the website are kept, by its organisation's plan. */
  retentionDays(websiteId: string): number;
  /** What the website keeps of its visitors; absent: everything. */
  privacyOf?(websiteId: string): KeptOfVisitors;
  /** Its records may still come for as long as the log keeps them; nothing of them is stored. */
  isErased?(websiteId: string): boolean;
  readonly config: Pick<Config, 'ENRICHER_BATCH_ROWS' | 'ENRICHER_BATCH_BYTES' | 'ENRICHER_BATCH_LINGER_MS'>;
  now(): number;
  readonly logger: Logger;
  readonly registry: Registry;
  /**
   * Fires when a process that stops has given the work under way its time: what is not done is left to whoever comes next.
   * Absent: it has all the time it needs.
   */
  readonly drained?: AbortSignal | undefined;
  /** Everything up to this offset of the partition is stored, dead or a repeat, or has been dropped by age. */
  onDone?(partition: number, offset: number): void;
  /** Rows or verdicts of these websites can be read from now on, or may be: an insert that failed may have happened. */
  onStored?(websiteIds: Iterable<string>): void;
  /** The service can't go on; the process should exit and be started again. */
  onCrash(error: Error): void;
}
