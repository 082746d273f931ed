import { z } from 'zod';
import type { ClickHouseReader, ClickHouseWriter } from '../../store/client.js';
import { insertRows } from '../../store/insert-rows.js';

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

/** @param uses milliseconds since the epoch by key id. @param token identifies this insert: a repeated insert changes nothing. */
export async function insertKeyUses(
  writer: ClickHouseWriter,
  uses: ReadonlyMap<string, number>,
  token: string,
): Promise<void> {
  await insertRows(writer, {
    table: 'api_key_uses',
    rows: [...uses].map(([id, at]) => ({ api_key_id: id, last_used: Math.floor(at / 1000) })),
    deduplicationToken: `api_key_uses/${token}`,
  });
}
