import { z } from 'zod';
import type { ClickHouseReader } from '../clickhouse/client.js';
import { DAY_MS } from '../durations.js';

/** Whether logs arrive, by the day on which they were received (not the day of the request). */

const receipts = z.object({
  requests: z.number(),
  /** Milliseconds since the epoch; 0 for never. */
  last_received_ms: z.number(),
});

/** A day: a small site's night, or a shipper's hourly batch, is no failure. */
const RECEIVING_WITHIN_MS = DAY_MS;

/** Whether logs arrive, by when the last of them came; milliseconds since the epoch. */
export function isReceiving(lastReceived: number | null, now: number): boolean {
  return lastReceived !== null && now - lastReceived <= RECEIVING_WITHIN_MS;
}

export interface Receipts {
  /** Requests received on the last 30 UTC days, today included. */
  readonly requestsLast30Days: number;
  /** Milliseconds since the epoch; null where nothing ever came, or all of it is past its retention. */
  readonly lastReceived: number | null;
}

/** How much of the website was received lately, and when the last of it came. */
export async function readReceipts(
  reader: ClickHouseReader,
  { websiteId, now }: { websiteId: string; now: number },
): Promise<Receipts> {
  const [row] = await reader.read({
    name: 'setup.receipts',
    sql: `SELECT
  sumIf(p.requests, p.day > toDate(fromUnixTimestamp64Milli({now: Int64}, 'UTC')) - 30) AS requests,
  toUnixTimestamp(max(p.last_received)) * 1000 AS last_received_ms
FROM receipts_per_day AS p
WHERE p.website_id = {website_id: String}`,
    params: { website_id: websiteId, now },
    row: receipts,
  });
  return {
    requestsLast30Days: row!.requests,
    lastReceived: row!.last_received_ms === 0 ? null : row!.last_received_ms,
  };
}
