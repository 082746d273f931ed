import { z } from 'zod';
import type { ClickHouseReader, ClickHouseWriter } from '../clickhouse/client.js';

/** When API keys were last used. */

const row = z.object({ api_key_id: z.string(), last_used_s: z.number() });

/** ISO 8601 by key id; keys that were never used are absent. */
export async function readKeyUses(reader: ClickHouseReader): Promise<ReadonlyMap<string, string>> {
  const rows = await reader.read({
    name: 'api_key_uses.all',
    sql: `SELECT api_key_id, toUnixTimestamp(max(last_used)) AS last_used_s
FROM api_key_uses
GROUP BY api_key_id`,
    params: {},
    row,
  });
  return new Map(rows.map(({ api_key_id, last_used_s }) => [api_key_id, isoOf(last_used_s)]));
}

const isoOf = (seconds: number) => new Date(seconds * 1000).toISOString();

/** @param uses milliseconds since the epoch by key id. @param token names this insert: a repeat changes nothing. */
export async function insertKeyUses(
  writer: ClickHouseWriter,
  uses: ReadonlyMap<string, number>,
  token: string,
): Promise<void> {
  const lines = [...uses].map(([id, at]) => `${id}\t${Math.floor(at / 1000)}\n`);
  await writer.insert({
    table: 'api_key_uses',
    columns: ['api_key_id', 'last_used'],
    rows: Buffer.from(lines.join('')),
    deduplicationToken: `api_key_uses/${token}`,
  });
}
