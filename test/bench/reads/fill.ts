import { join } from 'node:path';
import { z } from 'zod';
import { StoreTimeoutError } from '../../../shared/store/store-errors.js';
import { countRows, withEngine } from '../engine/with-engine.js';

const COPY_ROWS = 500_000;

/**
 * Copies the first website's rows to all websites, and to more clients of each, until the table has `rows`.
 * They have the same days and paths and other client addresses, like many similar sites.
 * @returns number of rows in the table
 */
export async function fillWith(
  dataDir: string,
  { websites, rows }: { websites: readonly string[]; rows: number },
): Promise<number> {
  const [first = ''] = websites;
  return withEngine(join(dataDir, 'clickhouse'), async ({ clickhouse }) => {
    const have = await clickhouse.read({
      name: 'bench.rows',
      sql: 'SELECT website_id, count() AS n FROM requests GROUP BY website_id',
      params: {},
      row: z.object({ website_id: z.string(), n: z.number() }),
    });
    const stored = new Map(have.map(({ website_id, n }) => [website_id, n]));
    const source = Math.min(stored.get(first) ?? 0, Math.ceil(rows / websites.length));
    if (source === 0) throw new Error('the first website has no rows to copy');
    let total = await countRows(clickhouse);
    // One statement for many websites: a part for each would take the engine long to merge.
    const atOnce = Math.max(1, Math.floor(COPY_ROWS / source));
    for (let copy = 0; total < rows; copy++) {
      const wanted = websites.filter((id) => (stored.get(id) ?? 0) < ((copy + 1) * rows) / websites.length);
      const targets = wanted.filter((id) => copy > 0 || id !== first);
      for (let next = 0; next < targets.length && total < rows; next += atOnce) {
        const ids = targets.slice(next, next + atOnce);
        await clickhouse.command(copySql({ first, ids, source, salt: total }));
        for (const id of ids) stored.set(id, (stored.get(id) ?? 0) + source);
        total += ids.length * source;
      }
    }
    // A long-running instance has merged its parts; a freshly filled one must not be measured with hundreds
    // of them.
    for (const { name } of await clickhouse.read({
      name: 'bench.tables',
      sql: `SELECT name FROM system.tables WHERE database = currentDatabase() AND engine LIKE '%MergeTree'`,
      params: {},
      row: z.object({ name: z.string() }),
    })) {
      // For a hundred million rows this exceeds a statement's timeout. The table then keeps its parts, and
      // the load may start their merge.
      await clickhouse.command(`OPTIMIZE TABLE ${name} FINAL`).catch((error: unknown) => {
        if (!(error instanceof StoreTimeoutError)) throw error;
      });
    }
    return total;
  });
}

interface Copy {
  readonly first: string;
  readonly ids: readonly string[];
  readonly source: number;
  readonly salt: number;
}

function copySql({ first, ids, source, salt }: Copy): string {
  const list = ids.map((id) => `'${id}'`).join(', ');
  return `INSERT INTO requests SELECT * EXCEPT target REPLACE (target AS website_id,
      log_offset + ${salt + 1_000_000_000} AS log_offset,
      if(bot_name = '', IPv4ToIPv6(toIPv4(toUInt32(cityHash64(client_ip, target, ${salt})))), client_ip) AS client_ip)
    FROM (SELECT * FROM requests WHERE website_id = '${first}' AND log_offset < 1000000000 LIMIT ${source})
    ARRAY JOIN [${list}] AS target`;
}
