import type { CheckResult } from '../checks/verdict.js';
import type { ClickHouseWriter } from '../clickhouse/client.js';
import { contentToken } from '../clickhouse/content-token.js';
import { dateTime64, insertRows } from '../clickhouse/insert-rows.js';

/**
 * Writes what one evaluation found, all at once: it takes the place of an earlier one of the same UTC day, and a repeat changes nothing.
 */
export async function insertCheckVerdicts(
  writer: ClickHouseWriter,
  { websiteId, evaluatedAt }: { readonly websiteId: string; readonly evaluatedAt: number },
  results: readonly CheckResult[],
): Promise<void> {
  const rows = results.map(({ checkId, verdict, title, category, weight, evidence }) => ({
    website_id: websiteId,
    check_id: checkId,
    day: new Date(evaluatedAt).toISOString().slice(0, 10),
    verdict,
    title,
    category,
    weight,
    evidence: JSON.stringify(evidence),
    evaluated_at: dateTime64(evaluatedAt),
  }));
  const deduplicationToken = contentToken('check_verdicts', rows);
  await insertRows(writer, { table: 'check_verdicts', rows, deduplicationToken, websiteId });
}
