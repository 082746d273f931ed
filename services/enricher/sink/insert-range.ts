import { setTimeout as sleep } from 'node:timers/promises';
import type { ClickHouseWriter } from '../../../shared/clickhouse/client.js';
import type { Logger } from '../../../shared/log.js';
import { requestColumns } from './encode-rows.js';
import type { PreparedRange } from './prepare-range.js';

const FIRST_DELAY_MS = 100;
const LONGEST_DELAY_MS = 5_000;

/**
 * Inserts a range, and again with back-off for as long as it fails: the token makes a repeat harmless, and the log
 * keeps what waits.
 */
export function createRangeInserter(clickhouse: ClickHouseWriter, logger: Logger, onRetry: () => void) {
  return async function insertRange(range: PreparedRange, stopping: AbortSignal): Promise<void> {
    for (let delay = FIRST_DELAY_MS; ; delay = Math.min(2 * delay, LONGEST_DELAY_MS)) {
      try {
        await clickhouse.insert({
          table: 'requests',
          columns: requestColumns,
          rows: range.body,
          format: 'Native',
          deduplicationToken: range.token,
        });
        return;
      } catch (error) {
        onRetry();
        logger.warn(
          { err: error, token: range.token, rows: range.rows, retry_in_ms: delay },
          'insert failed',
        );
        // The plan stands: whoever comes next inserts this very range.
        if (stopping.aborted) throw error;
        await sleep(delay, undefined, { signal: stopping }).catch(() => {});
      }
    }
  };
}
