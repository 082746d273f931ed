import { z } from 'zod';
import type { ClickHouseReader } from '../clickhouse/client.js';
import type { InsightKey } from '../insights/insight-key.js';
import type { Window } from './scope.js';

/** What a language model wrote of a website, and what that took; insight-writes.ts stores it. */

export interface StoredInsight extends InsightKey {
  /** As `insightIdOf` gives it. */
  readonly id: number;
  /** Whole seconds. */
  readonly period: Pick<Window, 'start' | 'end'>;
  /** Markdown. */
  readonly content: string;
  /** Names, each once. */
  readonly toolsUsed: readonly string[];
  readonly model: string;
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** Milliseconds since the epoch. */
  readonly createdAt: number;
}

const row = z.object({
  id: z.number(),
  period_start_ms: z.number(),
  period_end_ms: z.number(),
  content: z.string(),
  tools_used: z.array(z.string()),
  model: z.string(),
  input_tokens: z.number(),
  output_tokens: z.number(),
  created_at_ms: z.number(),
});

/** Newest first. @throws as `ClickHouseReader.read` */
export async function readInsights(
  reader: ClickHouseReader,
  { websiteId, page, filters }: InsightKey,
  limit: number,
): Promise<StoredInsight[]> {
  const rows = await reader.read({
    name: 'insights.list',
    sql: `SELECT id, toUnixTimestamp(period_start) * 1000 AS period_start_ms, toUnixTimestamp(period_end) * 1000 AS period_end_ms,
  content, tools_used, model, input_tokens, output_tokens, toUnixTimestamp64Milli(created_at) AS created_at_ms
FROM insights FINAL
WHERE website_id = {website_id: String} AND page = {page: String} AND filters = {filters: String}
ORDER BY created_at DESC, id
LIMIT {limit: UInt32}`,
    params: { website_id: websiteId, page, filters, limit },
    row,
  });
  return rows.map((each) => ({
    ...{ websiteId, page, filters, id: each.id },
    period: { start: each.period_start_ms, end: each.period_end_ms },
    content: each.content,
    toolsUsed: each.tools_used,
    model: each.model,
    inputTokens: each.input_tokens,
    outputTokens: each.output_tokens,
    createdAt: each.created_at_ms,
  }));
}

/** What the website's calls of the day took, or have set aside. @throws as `ClickHouseReader.read` */
export async function readTokensOfDay(
  reader: ClickHouseReader,
  websiteId: string,
  day: string,
): Promise<number> {
  const [found] = await reader.read({
    name: 'insights.tokens',
    sql: `SELECT sum(tokens) AS tokens FROM insight_tokens FINAL
WHERE website_id = {website_id: String} AND day = toDate({day: String})`,
    params: { website_id: websiteId, day },
    row: z.object({ tokens: z.number() }),
  });
  return found!.tokens;
}
