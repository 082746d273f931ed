import { z } from 'zod';
import type { ClickHouseReader } from '../../store/client.js';

/**
 * A website's late verdicts, if they are few. A statement then contains them, because a join or a second branch of a UNION costs the engine
 * more than most figures. They are read before the statement and depend on the website's data alone, so an unchanged website's are cached
 * (`Query.restsOn`).
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

const row = z.object({
  found: z.number(),
  /** Claim, milliseconds since the epoch, status. A claim may have several until its rows are merged. */
  decided: z.array(z.tuple([z.string(), z.number(), z.string()])),
});

async function readLateVerdicts(reader: ClickHouseReader, websiteId: string): Promise<LateVerdicts> {
  const [read] = await reader.read({
    name: 'verdicts.late',
    // Stops at the limit: a website may have millions.
    sql: `SELECT count() AS found, if(found > ${MOST_IN_STATEMENT}, [], groupArray((${claimKey('v.bot_family', 'v.client_ip')},
  toUnixTimestamp64Milli(v.decided.at), v.decided.status))) AS decided
FROM (
  SELECT bot_family, client_ip, decided FROM claim_verdicts WHERE website_id = {claims_website_id: String} LIMIT ${MOST_IN_STATEMENT + 1}
) AS v`,
    params: { claims_website_id: websiteId },
    row,
    restsOn: websiteId,
  });
  const { found, decided } = read!;
  if (found > MOST_IN_STATEMENT) return null;
  const latest = new Map<string, { at: number; status: string }>();
  for (const [claim, at, status] of decided) {
    const other = latest.get(claim);
    // The order of the engine's max(decided).
    if (other === undefined || at > other.at || (at === other.at && status > other.status))
      latest.set(claim, { at, status });
  }
  return [...latest].map(([claim, { status }]) => ({ claim, status }));
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
