import { z } from 'zod';
import { SECOND_MS } from '../../durations.js';
import type { ClickHouseReader, ClickHouseWriter } from '../../store/client.js';
import { contentToken } from '../../store/content-token.js';
import { dateTime64, insertRows } from '../../store/insert-rows.js';
import { day, daySeconds } from '../bots/daily-build.js';
import { type CheckResult, type Verdict, verdicts } from './verdict.js';

/** The verdicts of nightly checks: the last one of each check and UTC day. Times are in milliseconds since the epoch. */

const stored = z.object({
  checkId: z.string(),
  verdict: z.enum(verdicts),
  title: z.string(),
  category: z.string(),
  weight: z.number(),
  evidence: z
    .string()
    .transform((text) =>
      z.looseObject({ note: z.string(), not_reached: z.string().optional() }).parse(JSON.parse(text)),
    ),
  evaluatedAt: z.number(),
  /** The last verdict other than `unknown`; null: none. */
  lastKnown: z.enum(['', ...verdicts]).transform((verdict) => (verdict === '' ? null : verdict)),
});
const row = stored.extend({ previous: z.enum(['', ...verdicts]), flippedAt: z.number() });

export interface StoredCheck extends z.output<typeof stored> {
  /** The verdict before the last change from one day to another, and the time of that change; null: the verdict never changed. */
  readonly flip: { readonly from: Verdict; readonly at: number } | null;
}

/** The checks of a website's last evaluation, in no order. Empty: never evaluated. @throws as `ClickHouseReader.read` */
export async function readChecks(reader: ClickHouseReader, websiteId: string): Promise<StoredCheck[]> {
  const rows = await reader.read({
    name: 'checks.newest',
    sql: `SELECT check_id AS checkId, argMax(d.verdict, d.day) AS verdict, argMax(d.title, d.day) AS title, argMax(d.category, d.day) AS category,
  argMax(d.weight, d.day) AS weight, argMax(d.evidence, d.day) AS evidence,
  toUnixTimestamp64Milli(max(d.evaluated_at)) AS evaluatedAt,
  argMaxIf(d.before, d.day, d.before NOT IN ('', d.verdict)) AS previous,
  toUnixTimestamp64Milli(maxIf(d.evaluated_at, d.before NOT IN ('', d.verdict))) AS flippedAt,
  argMaxIf(d.verdict, d.day, d.verdict != 'unknown') AS lastKnown
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
  return rows.map(({ previous, flippedAt, ...check }) => ({
    ...check,
    flip: previous === '' ? null : { from: previous, at: flippedAt },
  }));
}

/** `day`: midnight (UTC). */
const dayVerdict = z.object({ checkId: z.string(), day: z.number(), verdict: z.enum(verdicts) });
export type DayVerdict = Readonly<z.output<typeof dayVerdict>>;

/**
 * Verdicts of the days from `since` on, and the last earlier verdict of each check. Sorted by check, oldest first.
 * @param since a moment of the first day. @throws as `ClickHouseReader.read`
 */
export function readVerdictDays(
  reader: ClickHouseReader,
  { websiteId, since }: { readonly websiteId: string; readonly since: number },
): Promise<DayVerdict[]> {
  const first = day('since');
  return reader.read({
    name: 'checks.history',
    sql: `SELECT check_id AS checkId, toUnixTimestamp(toDateTime(c.day, 'UTC')) * ${SECOND_MS} AS day, verdict
FROM check_verdicts AS c FINAL
WHERE website_id = {website_id: String}
  AND (c.day >= ${first} OR (check_id, c.day) IN (
    SELECT check_id, max(p.day) FROM check_verdicts AS p
    WHERE website_id = {website_id: String} AND p.day < ${first}
    GROUP BY check_id
  ))
ORDER BY check_id, c.day`,
    params: { website_id: websiteId, since: daySeconds(since) },
    row: dayVerdict,
  });
}

/**
 * Writes the results of one evaluation in one insert. It replaces an earlier evaluation of the same UTC day; a repeated insert changes
 * nothing.
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
