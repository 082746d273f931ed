import { z } from 'zod';
import { DAY_MS } from '../../durations.js';
import type { ClickHouseReader } from '../../store/client.js';
import { bots, traffic } from '../sql/read-tables.js';
import { rollingWindow, type Scope } from '../sql/scope.js';
import { selectList, selectTotal } from '../sql/select.js';

/** Whether logs arrive, by the day of receipt (not the day of the request), and whether all requests come from one bot. */

const receipts = z.object({
  requests: z.number(),
  /** Milliseconds since the epoch; 0: never. */
  last_received_ms: z.number(),
});

/** One day: a quiet night of a small website or an hourly batch of a shipper is not a failure. */
const RECEIVING_WITHIN_MS = DAY_MS;

/** Whether logs arrive, from the time of the last receipt; milliseconds since the epoch. */
export function isReceiving(lastReceived: number | null, now: number): boolean {
  return lastReceived !== null && now - lastReceived <= RECEIVING_WITHIN_MS;
}

export interface Receipts {
  /** Requests received on the last 30 UTC days, including today. */
  readonly requestsLast30Days: number;
  /** Milliseconds since the epoch; null if nothing was received within the retention. */
  readonly lastReceived: number | null;
}

/** Number of recent requests of the website, and the last receipt. */
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

/** The bot that all requests of a website claim to be. */
export interface OnlyBot {
  readonly name: string;
  readonly requests: number;
}

const DAYS = 30;
/** Fewer requests are a first test with one tool. */
const LEAST_REQUESTS = 20;

/** The bot that made every request of the last 30 days; null if there are others, or few requests. */
export async function readOnlyBot(
  reader: ClickHouseReader,
  { websiteId, now }: { websiteId: string; now: number },
): Promise<OnlyBot | null> {
  const scope: Scope = { websiteId, window: rollingWindow(DAYS * DAY_MS, now), filters: {} };
  const [first] = await selectList(reader, scope, {
    name: 'setup.bots',
    from: [bots],
    by: ['bot_name'],
    limit: 1,
    metrics: ['requests'],
  });
  if (first === undefined || first.requests < LEAST_REQUESTS) return null;
  const all = await selectTotal(reader, scope, {
    name: 'setup.requests',
    from: [traffic],
    metrics: ['requests'],
  });
  return all.requests === first.requests ? { name: first.bot_name, requests: first.requests } : null;
}
