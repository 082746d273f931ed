import { z } from 'zod';
import type { ClickHouse } from '../../../shared/clickhouse/client.js';
import type { Logger } from '../../../shared/log.js';
import type { StoredVerdict } from './dns-verifier.js';

/**
 * Late verdicts on their way to the table `bot_verdicts`, where reads resolve pending rows, and back into the verifier's
 * cache at the next start.
 */

const FLUSH_INTERVAL_MS = 1_000;
/** Verdicts older than the longest cache life would only be thrown away again. */
const SEED_DAYS = 7;
const MOST_SEEDED = 100_000;

export interface VerdictStore {
  add(verdict: StoredVerdict): void;
  /** Writes what waits. */
  stop(): Promise<void>;
}

export function createVerdictStore(clickhouse: ClickHouse, logger: Logger): VerdictStore {
  let waiting: StoredVerdict[] = [];
  let timer: NodeJS.Timeout | undefined;

  async function flush(): Promise<void> {
    timer = undefined;
    const verdicts = waiting;
    waiting = [];
    if (verdicts.length === 0) return;
    const rows = verdicts.map(
      ({ family, clientIp, status, decidedAt }) =>
        `${family}\t${clientIp}\t${status}\t${(decidedAt / 1000).toFixed(3)}\n`,
    );
    try {
      await clickhouse.insert({
        table: 'bot_verdicts',
        columns: ['bot_family', 'client_ip', 'status', 'decided_at'],
        rows: Buffer.from(rows.join('')),
        // The table replaces by (family, address): a repeat changes nothing.
        deduplicationToken: `${verdicts[0]?.family}/${verdicts[0]?.clientIp}/${verdicts[0]?.decidedAt}/${verdicts.length}`,
      });
    } catch (error) {
      logger.warn({ err: error, verdicts: verdicts.length }, 'verdicts not stored, trying again');
      waiting = [...verdicts, ...waiting].slice(-MOST_SEEDED);
      timer ??= setTimeout(flush, FLUSH_INTERVAL_MS);
    }
  }

  return {
    add(verdict) {
      waiting.push(verdict);
      timer ??= setTimeout(flush, FLUSH_INTERVAL_MS);
    },
    async stop() {
      clearTimeout(timer);
      await flush();
      clearTimeout(timer);
    },
  };
}

const seedRow = z.object({
  family: z.string(),
  client_ip: z.string(),
  status: z.enum(['verified', 'spoofed', 'unverifiable']),
  decided_at_ms: z.number(),
});

/** Verdicts of the last days, newest first. */
export async function readVerdicts(clickhouse: ClickHouse): Promise<StoredVerdict[]> {
  const rows = await clickhouse.read({
    name: 'verdicts.seed',
    sql: `SELECT bot_family AS family, replaceRegexpOne(toString(client_ip), '^::ffff:', '') AS client_ip, status,
                 toUnixTimestamp64Milli(decided_at) AS decided_at_ms
          FROM bot_verdicts FINAL
          WHERE decided_at > now() - toIntervalDay({days: UInt16})
          ORDER BY decided_at DESC
          LIMIT {limit: UInt32}`,
    params: { days: SEED_DAYS, limit: MOST_SEEDED },
    row: seedRow,
  });
  return rows.map(({ family, client_ip, status, decided_at_ms }) => ({
    family,
    clientIp: client_ip,
    status,
    decidedAt: decided_at_ms,
  }));
}
