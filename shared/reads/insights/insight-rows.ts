import { z } from 'zod';
import type { ClickHouseReader, ClickHouseWriter } from '../../store/client.js';
import { insertRows } from '../../store/insert-rows.js';
import { asIs, inSnakeCase, instant, number, second, storedFields, text } from '../../store/stored-fields.js';
import type { Window } from '../sql/scope.js';
import type { InsightKey } from './insight-key.js';

/** Texts of a language model about a website, and the tokens used. */

const insight = storedFields({
  websiteId: text,
  page: text,
  filters: text,
  /** From `insightIdOf`. */
  id: number,
  periodStart: second,
  periodEnd: second,
  /** Markdown. */
  content: text,
  /** Unique names. */
  toolsUsed: asIs(z.array(z.string()) as z.ZodType<readonly string[]>),
  model: text,
  inputTokens: number,
  outputTokens: number,
  createdAt: instant,
});

export type StoredInsight = Readonly<Omit<z.output<typeof insight.row>, 'periodStart' | 'periodEnd'>> & {
  /** Whole seconds. */
  readonly period: Pick<Window, 'start' | 'end'>;
};

/** Newest first. @throws as `ClickHouseReader.read` */
export async function readInsights(
  reader: ClickHouseReader,
  { websiteId, page, filters }: InsightKey,
  limit: number,
): Promise<StoredInsight[]> {
  const rows = await reader.read({
    name: 'insights.list',
    sql: `SELECT ${insight.columns()}
FROM insights FINAL
WHERE website_id = {website_id: String} AND page = {page: String} AND filters = {filters: String}
ORDER BY created_at DESC, id
LIMIT {limit: UInt32}`,
    params: { website_id: websiteId, page, filters, limit },
    row: insight.row,
  });
  return rows.map(({ periodStart: start, periodEnd: end, ...rest }) => ({ ...rest, period: { start, end } }));
}

/** Replaces the insight with the same id. @throws as `ClickHouseWriter.insert` */
export function insertInsight(writer: ClickHouseWriter, stored: StoredInsight): Promise<void> {
  const { websiteId, id, createdAt, period } = stored;
  return insertRows(writer, {
    table: 'insights',
    rows: [insight.toRow({ ...stored, periodStart: period.start, periodEnd: period.end })],
    deduplicationToken: `insights/${websiteId}/${id}/${createdAt}`,
    websiteId,
  });
}

/** Tokens used or reserved by the website's calls of the day. @throws as `ClickHouseReader.read` */
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

/** Tokens of one call of the model. */
export type CallTokens = {
  readonly websiteId: string;
  /** UTC, `2026-11-22`. */
  readonly day: string;
  /** Unique id of the call. */
  readonly callId: string;
  readonly model: string;
  readonly tokens: number;
  /** 0: reserved before the call; 1: used. */
  readonly revision: 0 | 1;
};

export function insertCallTokens(writer: ClickHouseWriter, call: CallTokens): Promise<void> {
  const { websiteId, callId, revision } = call;
  return insertRows(writer, {
    table: 'insight_tokens',
    rows: [inSnakeCase(call)],
    deduplicationToken: `insight_tokens/${callId}/${revision}`,
    websiteId,
  });
}
