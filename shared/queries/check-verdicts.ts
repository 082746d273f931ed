import { z } from 'zod';
import type { CheckResult } from '../checks/verdict.js';
import { verdicts } from '../checks/verdict.js';
import type { ClickHouseReader } from '../clickhouse/client.js';
import { SECOND_MS } from '../durations.js';
import { day, daySeconds } from './daily-build.js';

/** The verdicts of nightly checks: of each check and UTC day the last one. Times in milliseconds since the epoch. */

const row = z.object({
  check_id: z.string(),
  verdict: z.enum(verdicts),
  title: z.string(),
  category: z.string(),
  weight: z.number(),
  evidence: z.string().transform((text) => z.looseObject({ note: z.string() }).parse(JSON.parse(text))),
  evaluated_at_ms: z.number(),
  previous_verdict: z.enum(['', ...verdicts]),
  flipped_at_ms: z.number(),
  last_known: z.enum(['', ...verdicts]),
});

export interface StoredCheck extends Omit<CheckResult, 'evidence'> {
  readonly evidence: Readonly<Record<string, unknown>> & { readonly note: string };
  readonly evaluatedAt: number;
  /** The verdict before the last change from one day to another, and when that change was found; null: it never changed. */
  readonly flip: { readonly from: CheckResult['verdict']; readonly at: number } | null;
  /** The last verdict that was not `unknown`; null: there was none. */
  readonly lastKnown: CheckResult['verdict'] | null;
}

/** The checks of a website's last evaluation, in no order. Empty: there was none. @throws as `ClickHouseReader.read` */
export async function readChecks(reader: ClickHouseReader, websiteId: string): Promise<StoredCheck[]> {
  const rows = await reader.read({
    name: 'checks.newest',
    sql: `SELECT check_id, argMax(d.verdict, d.day) AS verdict, argMax(d.title, d.day) AS title, argMax(d.category, d.day) AS category,
  argMax(d.weight, d.day) AS weight, argMax(d.evidence, d.day) AS evidence,
  toUnixTimestamp64Milli(max(d.evaluated_at)) AS evaluated_at_ms,
  argMaxIf(d.before, d.day, d.before NOT IN ('', d.verdict)) AS previous_verdict,
  toUnixTimestamp64Milli(maxIf(d.evaluated_at, d.before NOT IN ('', d.verdict))) AS flipped_at_ms,
  argMaxIf(d.verdict, d.day, d.verdict != 'unknown') AS last_known
FROM (
  SELECT check_id, c.day AS day, c.verdict AS verdict, title, category, weight, evidence, c.evaluated_at AS evaluated_at,
    lagInFrame(toString(c.verdict)) OVER (PARTITION BY check_id ORDER BY c.day ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) AS before
  FROM check_verdicts AS c FINAL
  WHERE website_id = {website_id: String}
) AS d
GROUP BY check_id
HAVING max(d.evaluated_at) = (SELECT max(evaluated_at) FROM check_verdicts WHERE website_id = {website_id: String})`,
    params: { website_id: websiteId },
    row,
  });
  return rows.map((one) => ({
    checkId: one.check_id,
    verdict: one.verdict,
    title: one.title,
    category: one.category,
    weight: one.weight,
    evidence: one.evidence,
    evaluatedAt: one.evaluated_at_ms,
    flip: one.previous_verdict === '' ? null : { from: one.previous_verdict, at: one.flipped_at_ms },
    lastKnown: one.last_known === '' ? null : one.last_known,
  }));
}

const dayRow = z.object({ check_id: z.string(), day_s: z.number(), verdict: z.enum(verdicts) });

export interface DayVerdict {
  readonly checkId: string;
  /** Midnight (UTC). */
  readonly day: number;
  readonly verdict: CheckResult['verdict'];
}

/**
 * Verdicts of the days from `since` on, and of each check the last one before them: by check, the oldest first.
 * @param since a moment of the first day. @throws as `ClickHouseReader.read`
 */
export async function readVerdictDays(
  reader: ClickHouseReader,
  { websiteId, since }: { readonly websiteId: string; readonly since: number },
): Promise<DayVerdict[]> {
  const first = day('since');
  const rows = await reader.read({
    name: 'checks.history',
    sql: `SELECT check_id, toUnixTimestamp(toDateTime(c.day, 'UTC')) AS day_s, verdict
FROM check_verdicts AS c FINAL
WHERE website_id = {website_id: String}
  AND (c.day >= ${first} OR (check_id, c.day) IN (
    SELECT check_id, max(p.day) FROM check_verdicts AS p
    WHERE website_id = {website_id: String} AND p.day < ${first}
    GROUP BY check_id
  ))
ORDER BY check_id, c.day`,
    params: { website_id: websiteId, since: daySeconds(since) },
    row: dayRow,
  });
  return rows.map(({ check_id, day_s, verdict }) => ({ checkId: check_id, day: day_s * SECOND_MS, verdict }));
}
