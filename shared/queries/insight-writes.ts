import type { ClickHouseWriter } from '../clickhouse/client.js';
import { dateTime64, insertRows } from '../clickhouse/insert-rows.js';
import type { StoredInsight } from './insights.js';

/** What insights.ts reads. */

/** It takes the place of one with the same id. @throws as `ClickHouseWriter.insert` */
export function insertInsight(writer: ClickHouseWriter, insight: StoredInsight): Promise<void> {
  const { websiteId, page, filters, id, period, createdAt } = insight;
  return insertRows(writer, {
    table: 'insights',
    rows: [
      {
        ...{ website_id: websiteId, page, filters, id },
        period_start: dateTime64(period.start).slice(0, 19),
        period_end: dateTime64(period.end).slice(0, 19),
        content: insight.content,
        tools_used: insight.toolsUsed,
        model: insight.model,
        input_tokens: insight.inputTokens,
        output_tokens: insight.outputTokens,
        created_at: dateTime64(createdAt),
      },
    ],
    deduplicationToken: `insights/${websiteId}/${id}/${createdAt}`,
    websiteId,
  });
}

/** Of a call of the model. */
export interface CallTokens {
  readonly websiteId: string;
  /** UTC, `2026-11-22`. */
  readonly day: string;
  /** One that no other call has. */
  readonly callId: string;
  readonly model: string;
  readonly tokens: number;
  /** 0: set aside before the call; 1: what it took. */
  readonly revision: 0 | 1;
}

/** @throws as `ClickHouseWriter.insert` */
export function insertCallTokens(writer: ClickHouseWriter, call: CallTokens): Promise<void> {
  const { websiteId, day, callId, model, tokens, revision } = call;
  return insertRows(writer, {
    table: 'insight_tokens',
    rows: [{ website_id: websiteId, day, call_id: callId, model, tokens, revision }],
    deduplicationToken: `insight_tokens/${callId}/${revision}`,
    websiteId,
  });
}
