import { z } from 'zod';
import type { ClickHouseReader } from '../clickhouse/client.js';

export async function checkRegexes(
  reader: ClickHouseReader,
  patterns: readonly string[],
): Promise<{ pattern: string; problem: string } | null> {
  for (const pattern of patterns) {
    try {
      await reader.read({
        name: 'segments.regex',
        sql: "SELECT match('', {pattern: String}) AS matches",
        params: { pattern },
        row: z.object({ matches: z.number() }),
      });
    } catch (error) {
      if ((error as { code?: string }).code !== '427') throw error;
      return { pattern, problem: String(error) };
    }
  }
  return null;
}
