import type { ControlPlane } from '../../../shared/control/control-plane.js';
import type { EventLog } from '../../../shared/event-log/event-log.js';
import type { FileStore } from '../../../shared/files/file-store.js';
import type { Logger } from '../../../shared/logging/log.js';
import type { ClickHouse } from '../../../shared/store/client.js';

/** Dependencies of the operator's changes to stored data. */
export interface StoredData {
  readonly control: ControlPlane;
  readonly log: EventLog;
  readonly clickhouse: ClickHouse;
  readonly cluster?: string | undefined;
  /** Store of exports, reports and stored days; null or absent: the installation has no file store. */
  readonly files?: FileStore | null | undefined;
  /** Runs the work while nothing is inserted into `requests`. */
  withInsertsHeld<T>(work: () => Promise<T>): Promise<T>;
  readonly newId: () => string;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly logger: Logger;
  /** Pause between two passes, in milliseconds; default PAUSE_MS. */
  readonly pauseMs?: number;
}

/** Longer than the insert of a range of requests takes. */
export const PAUSE_MS = 1_500;
/** The second pass finds inserts that were running in the first. Further passes find data only while uploads continue. */
export const MOST_PASSES = 6;
