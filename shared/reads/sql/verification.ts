import { z } from 'zod';
import { HOUR_MS } from '../../durations.js';
import type { ClickHouseReader } from '../../store/client.js';
import { storableSecond } from '../../store/column-bounds.js';
import type { Clause } from './clause.js';
import { asIpv6, clientIpText } from './client-ip.js';
import { claimKey, type LateVerdict, type LateVerdicts } from './late-verdicts.js';

/**
 * The current verification of a bot's claim. A row whose verdict was open when it was stored has 'pending' forever. The later verdict is in
 * `claim_verdicts` and is applied by reads (docs/decisions/009-late-verdicts.md). Only the pending pairs of family and address are looked
 * up there, by its primary key. So the cost of a read grows with its own pending rows, and not with the number of verdicts.
 */

/** Website and period of the claims; milliseconds since the epoch. */
export interface ClaimScope {
  readonly websiteId: string;
  readonly window: { readonly start: number; readonly end: number };
  /** The website's late verdicts (late-verdicts.ts); absent or null: the statement looks them up. */
  readonly lateVerdicts?: LateVerdicts | undefined;
}

/** Possible late verdicts. */
const verdicts = ['verified', 'spoofed', 'unverifiable'] as const;

interface ClaimColumns {
  readonly verification: string;
  readonly family: string;
  /** Address that made the claim; only used if the verification is 'pending'. */
  readonly ip: string;
}

/** Columns of rows of `requests AS r`; qualified, because answers have a `client_ip` that is text. */
export const requestClaim: ClaimColumns = {
  verification: 'r.bot_verification',
  family: 'r.bot_family',
  ip: 'r.client_ip',
};

/** Columns of rows of a rollup. */
export const rollupClaim: ClaimColumns = {
  verification: 'bot_verification',
  family: 'bot_family',
  ip: 'pending_ip',
};

/**
 * SQL for one of 'verified' | 'spoofed' | 'unverifiable' | 'pending', and '' or 'undeclared' if no bot is claimed. Its parameters begin
 * with `claims_`.
 * @param scope the rows are in its window; its filters are ignored here.
 */
export function resolvedVerification(columns: ClaimColumns, scope: ClaimScope): Clause {
  if (scope.lateVerdicts != null) return resolvedByFew(columns, scope.lateVerdicts);
  const { verification, family, ip } = columns;
  const decided = decidedClaims(scope);
  // The three subqueries have the same text, so that the engine evaluates them once.
  const tests = verdicts.map((status) => `(${family}, ${ip}, '${status}') IN (${decided.sql}), '${status}'`);
  return {
    sql: `multiIf(${verification} != 'pending', toString(${verification}), ${tests.join(', ')}, 'pending')`,
    params: decided.params,
  };
}

/**
 * A SELECT of the same rows with `verification`, as from `resolvedVerification`. It joins one table of verdicts, which the engine plans
 * faster than the three sets of the expression.
 * @param rows a SELECT whose rows have `bot_verification`, `bot_family` and `pending_ip` and are in the scope's window.
 */
export function joinVerification(rows: Clause, scope: ClaimScope): Clause {
  if (scope.lateVerdicts != null) {
    const verification = resolvedByFew(rollupClaim, scope.lateVerdicts);
    return {
      sql: `SELECT p.*, ${verification.sql} AS verification FROM (${rows.sql}) AS p`,
      params: { ...rows.params, ...verification.params },
    };
  }
  const decided = decidedClaims(scope);
  return {
    sql: `SELECT p.*, multiIf(p.bot_verification != 'pending', toString(p.bot_verification), v.status = '', 'pending', v.status) AS verification
FROM (${rows.sql}) AS p
LEFT ANY JOIN (${decided.sql}) AS v ON p.bot_family = v.bot_family AND p.pending_ip = v.client_ip`,
    params: { ...rows.params, ...decided.params },
  };
}

/** The statement contains the verdicts. The engine composes the key of pending rows only. */
function resolvedByFew({ verification, family, ip }: ClaimColumns, verdicts: readonly LateVerdict[]): Clause {
  if (verdicts.length === 0) return { sql: `toString(${verification})`, params: {} };
  return {
    sql: `if(${verification} != 'pending', toString(${verification}),
  transform(${claimKey(family, ip)}, {claims_late: Array(String)}, {claims_late_verdicts: Array(String)}, 'pending'))`,
    params: {
      claims_late: verdicts.map(({ claim }) => claim),
      claims_late_verdicts: verdicts.map(({ status }) => status),
    },
  };
}

/**
 * Family, address and verdict of the window's pending claims. They come from bots_per_hour, which stores the address of pending claims, so
 * that no raw row is read.
 */
function decidedClaims({ websiteId, window }: ClaimScope): Clause {
  const second = (instant: number) => storableSecond(Math.floor(instant / 1000));
  return {
    sql: `SELECT bot_family, client_ip, tupleElement(max(decided), 'status') AS status FROM claim_verdicts
WHERE website_id = {claims_website_id: String} AND (bot_family, client_ip) IN (
  SELECT bot_family, pending_ip FROM bots_per_hour
  WHERE website_id = {claims_website_id: String} AND bot_verification = 'pending'
    AND hour >= toDateTime({claims_start: UInt32}, 'UTC') AND hour < toDateTime({claims_end: UInt32}, 'UTC')
)
GROUP BY bot_family, client_ip`,
    params: {
      claims_website_id: websiteId,
      claims_start: second(Math.floor(window.start / HOUR_MS) * HOUR_MS),
      claims_end: second(window.end + 999),
    },
  };
}

/** The fields that resolve a row after it was read. */
interface ClaimRow {
  readonly client_ip: string;
  readonly bot_family: string;
  /** The stored value. */
  readonly verification: string;
}

const decidedRow = z.object({ family: z.string(), ip: z.string(), status: z.string() });

/** The rows of one page with their current verification. If some are pending, a second read gets their verdicts. */
export async function resolvePage<Row extends ClaimRow>(
  reader: ClickHouseReader,
  websiteId: string,
  rows: readonly Row[],
): Promise<Row[]> {
  const pending = rows.filter(
    ({ verification, client_ip }) => verification === 'pending' && client_ip !== '',
  );
  if (pending.length === 0) return [...rows];
  const decided = await reader.read({
    name: 'verdicts.page',
    sql: `SELECT v.bot_family AS family, ${clientIpText('v.client_ip')} AS ip, tupleElement(max(v.decided), 'status') AS status
FROM claim_verdicts AS v
WHERE v.website_id = {website_id: String} AND v.bot_family IN {families: Array(String)} AND v.client_ip IN {ips: Array(IPv6)}
GROUP BY v.bot_family, v.client_ip`,
    params: {
      website_id: websiteId,
      families: [...new Set(pending.map(({ bot_family }) => bot_family))],
      ips: [...new Set(pending.map(({ client_ip }) => asIpv6(client_ip)))],
    },
    row: decidedRow,
  });
  const statusOf = new Map(decided.map(({ family, ip, status }) => [`${family}\n${ip}`, status]));
  return rows.map((row) =>
    row.verification === 'pending'
      ? { ...row, verification: statusOf.get(`${row.bot_family}\n${row.client_ip}`) ?? 'pending' }
      : row,
  );
}
