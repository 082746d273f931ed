import { z } from 'zod';
import type { ClickHouseReader } from '../../store/client.js';

/**
 * A website's late verdicts, if they are few. A statement then contains them, because a join or a second branch of a UNION costs the engine
 * more than most figures. They are read before the statement, and cached until another verdict comes (`Query.restsOn`).
 */

export interface LateVerdict {
  /** Family and address, as `claimKey` composes them. */
  readonly claim: string;
  readonly status: string;
}

/** null: too many for a statement. */
export type LateVerdicts = readonly LateVerdict[] | null;

/** Their text in a statement has at most 20 KiB. */
export const MOST_IN_STATEMENT = 256;

/** SQL of the text that identifies a claim. @param family and @param ip SQL of its family and its address (IPv6) */
export function claimKey(family: string, ip: string): string {
  return `concat(${family}, '\\n', toString(${ip}))`;
}

/** The same text in this process. @param ip as the engine writes an IPv6. */
export function claimOf(family: string, ip: string): string {
  return `${family}\n${ip}`;
}

const row = z.object({ claim: z.string(), at: z.number(), status: z.string() });

async function readLateVerdicts(reader: ClickHouseReader, websiteId: string): Promise<LateVerdicts> {
  const rows = await reader.read({
    name: 'verdicts.late',
    // Stops at the limit: a website may have millions. A claim may have several rows until they are merged.
    sql: `SELECT ${claimKey('v.bot_family', 'v.client_ip')} AS claim, toUnixTimestamp64Milli(v.decided.at) AS at, v.decided.status AS status
FROM claim_verdicts AS v
WHERE v.website_id = {claims_website_id: String}
LIMIT ${MOST_IN_STATEMENT + 1}`,
    params: { claims_website_id: websiteId },
    row,
    restsOn: { websiteId, part: 'other_tables' },
  });
  if (rows.length > MOST_IN_STATEMENT) return null;
  const latest = new Map<string, z.infer<typeof row>>();
  for (const one of rows) {
    const other = latest.get(one.claim);
    // The order of the engine's max(decided).
    if (other === undefined || one.at > other.at || (one.at === other.at && one.status > other.status))
      latest.set(one.claim, one);
  }
  return [...latest.values()].map(({ claim, status }) => ({ claim, status }));
}

/** The scope with the website's late verdicts, for `resolvedVerification` and `joinVerification`. @throws as `ClickHouseReader.read` */
export async function withLateVerdicts<Given extends OfWebsite>(
  reader: ClickHouseReader,
  scope: Given,
): Promise<Given> {
  if (scope.lateVerdicts !== undefined) return scope;
  return { ...scope, lateVerdicts: await readLateVerdicts(reader, scope.websiteId) };
}

interface OfWebsite {
  readonly websiteId: string;
  readonly lateVerdicts?: LateVerdicts | undefined;
}

/** Whether a late verdict may have disproved a claim of the website. */
export function mayHaveLateImpostors({ lateVerdicts = null }: OfWebsite): boolean {
  return lateVerdicts === null || lateVerdicts.some(({ status }) => status === 'spoofed');
}
