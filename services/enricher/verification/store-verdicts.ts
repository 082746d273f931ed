import { z } from 'zod';
import type { ClickHouse } from '../../../shared/clickhouse/client.js';
import type { Logger } from '../../../shared/log.js';
import { isoDay } from '../../../shared/requests/last-day.js';
import type { StoredVerdict, WebsiteVerdict } from './dns-verifier.js';

/**
 * Late verdicts on their way to the table `claim_verdicts`, where reads resolve a website's pending rows, and back into
 * the verifier's cache at the next start.
 */

const FLUSH_INTERVAL_MS = 1_000;
/** What waits while the store is away; the oldest go first, and their rows stay pending. */
const MOST_WAITING = 100_000;

export interface VerdictStore {
  add(verdict: WebsiteVerdict): void;
  /** Writes what waits. */
  stop(): Promise<void>;
}

export function createVerdictStore(clickhouse: ClickHouse, logger: Logger): VerdictStore {
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
        // The table keeps the latest of each website, family and address: a repeat changes nothing.
        deduplicationToken: `${first.websiteId}/${first.family}/${first.clientIp}/${first.decidedAt}/${verdicts.length}`,
      });
    } catch (error) {
      logger.warn({ err: error, verdicts: verdicts.length }, 'verdicts not stored, trying again');
      waiting = [...verdicts, ...waiting].slice(-MOST_WAITING);
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

export const verdictColumns = ['website_id', 'bot_family', 'client_ip', 'decided', 'expires'];

/** Rows of `claim_verdicts`, TabSeparated; none of the texts comes from a request as it was sent. */
export function encodeVerdicts(verdicts: readonly WebsiteVerdict[]): Buffer {
  const lines = verdicts.map(({ websiteId, family, clientIp, status, decidedAt, lastDay }) => {
    const at = new Date(decidedAt).toISOString().slice(0, -1).replace('T', ' ');
    return `${websiteId}\t${family}\t${clientIp}\t('${at}','${status}')\t${isoDay(lastDay)}\n`;
  });
  return Buffer.from(lines.join(''));
}

/** How old a verdict may be that fills the cache: its longest life there. */
const SEED_DAYS = 7;
const MOST_SEEDED = 100_000;

const seedRow = z.object({
  family: z.string(),
  client_ip: z.string(),
  status: z.enum(['verified', 'spoofed', 'unverifiable']),
  decided_at_ms: z.number(),
});

/**
 * The newest verdicts of the last days, real crawlers' first: of spoofed addresses there may be millions, and they would
 * fill the answer. The table is read as it lies, unmerged, in memory that does not grow with it.
 */
export async function readVerdicts(clickhouse: ClickHouse): Promise<StoredVerdict[]> {
  const rows = await clickhouse.read({
    name: 'verdicts.seed',
    sql: `SELECT bot_family AS family, replaceRegexpOne(toString(client_ip), '^::ffff:', '') AS client_ip,
                 decided.status AS status, toUnixTimestamp64Milli(decided.at) AS decided_at_ms
          FROM claim_verdicts
          WHERE decided.at > now() - toIntervalDay({days: UInt16})
          ORDER BY decided.status = 'spoofed', decided.at DESC
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
