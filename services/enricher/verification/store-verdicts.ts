import { z } from 'zod';
import { changesBesideRows, type DataChange } from '../../../shared/changes/data-change.js';
import { warnLimited } from '../../../shared/logging/limit-warnings.js';
import type { Logger } from '../../../shared/logging/log.js';
import { clientIpText } from '../../../shared/reads/sql/client-ip.js';
import { isoDay } from '../../../shared/requests/last-day.js';
import type { ClickHouse } from '../../../shared/store/client.js';
import { dateTime64 } from '../../../shared/store/insert-rows.js';
import type { StoredVerdict, WebsiteVerdict } from './dns-verifier.js';

/**
 * Writes late verdicts to the table `claim_verdicts`, with which reads resolve a website's pending rows. The
 * next start reads them into the verifier's cache.
 */

const FLUSH_INTERVAL_MS = 1_000;
/**
 * Most waiting verdicts while the store is unavailable. The oldest are dropped first, and their rows stay
 * pending.
 */
const MOST_WAITING = 100_000;

export interface VerdictStore {
  add(verdict: WebsiteVerdict): void;
  /** Writes the waiting verdicts. */
  stop(): Promise<void>;
}

/**
 * @param onStored verdicts may have changed in the store, also after a failed insert, which may have succeeded
 * there
 */
export function createVerdictStore(
  clickhouse: ClickHouse,
  logger: Logger,
  onStored?: (changes: Iterable<DataChange>) => void,
): VerdictStore {
  let waiting: WebsiteVerdict[] = [];
  let timer: NodeJS.Timeout | undefined;

  async function flush(): Promise<void> {
    timer = undefined;
    const verdicts = waiting;
    waiting = [];
    const first = verdicts[0];
    if (first === undefined) return;
    try {
      await clickhouse.insert({
        table: 'claim_verdicts',
        columns: verdictColumns,
        rows: encodeVerdicts(verdicts),
        // The table has one row per website, family and address, with the latest verdict, so a repeat changes
        // nothing.
        deduplicationToken: `${first.websiteId}/${first.family}/${first.clientIp}/${first.decidedAt}/${verdicts.length}`,
      });
    } catch (error) {
      warnLimited(logger, { err: error, verdicts: verdicts.length }, 'verdicts not stored, retrying');
      waiting = [...verdicts, ...waiting].slice(-MOST_WAITING);
      timer ??= setTimeout(flush, FLUSH_INTERVAL_MS);
    } finally {
      onStored?.(changesBesideRows(verdicts));
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

export const verdictColumns = ['website_id', 'bot_family', 'client_ip', 'decided', 'expires'];

/** Rows of `claim_verdicts` as TabSeparated. None of the texts is raw text of a request. */
export function encodeVerdicts(verdicts: readonly WebsiteVerdict[]): Buffer {
  const lines = verdicts.map(({ websiteId, family, clientIp, status, decidedAt, lastDay }) => {
    const at = dateTime64(decidedAt);
    return `${websiteId}\t${family}\t${clientIp}\t('${at}','${status}')\t${isoDay(lastDay)}\n`;
  });
  return Buffer.from(lines.join(''));
}

/**
 * Queries that fill the cache at a start: verdicts that are still valid there. Fewer are of spoofed
 * addresses, since clients can invent millions of them.
 */
const seeds = [
  { which: "decided.status != 'spoofed'", days: 7, limit: 50_000 },
  { which: "decided.status = 'spoofed'", days: 1, limit: 10_000 },
];
const SEED_TIMEOUT_MS = 10_000;

const seedRow = z.object({
  family: z.string(),
  client_ip: z.string(),
  status: z.enum(['verified', 'spoofed', 'unverifiable']),
  decided_at_ms: z.number(),
});

/**
 * The newest verdicts of the last days. It reads the unmerged table, in two columns and then the needed rows.
 * Its memory does not grow with the table, and 16 million verdicts take about 1.2 seconds.
 * @throws as `ClickHouseReader.read`
 */
export async function readVerdicts(clickhouse: ClickHouse): Promise<StoredVerdict[]> {
  const rows = await Promise.all(
    seeds.map(({ which, days, limit }) =>
      clickhouse.read({
        name: 'verdicts.seed',
        sql: `SELECT bot_family AS family, ${clientIpText('client_ip')} AS client_ip, status, decided_at_ms
FROM (
  SELECT bot_family, client_ip, decided.status AS status, toUnixTimestamp64Milli(decided.at) AS decided_at_ms
  FROM claim_verdicts
  WHERE ${which} AND decided.at > now() - toIntervalDay({days: UInt16})
  ORDER BY decided.at DESC
  LIMIT {limit: UInt32}
)`,
        params: { days, limit },
        row: seedRow,
        timeoutMs: SEED_TIMEOUT_MS,
      }),
    ),
  );
  return rows.flat().map(({ family, client_ip, status, decided_at_ms }) => ({
    family,
    clientIp: client_ip,
    status,
    decidedAt: decided_at_ms,
  }));
}
