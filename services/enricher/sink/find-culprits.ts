import type { LogRecord } from '../../../shared/event-log/event-log.js';

/** A record that goes to requests.dead, and why. */
export interface DeadRecord {
  readonly record: LogRecord;
  readonly reason: string;
}

/**
 * Finds the records that fail by themselves, by halving. What fails only together with others has no culprit.
 * @param reasonAgainst what is wrong with these records taken together; null: nothing
 */
export async function findCulprits(
  records: readonly LogRecord[],
  reasonAgainst: (records: readonly LogRecord[]) => Promise<string | null>,
): Promise<DeadRecord[]> {
  const [first] = records;
  if (first === undefined) return [];
  const reason = await reasonAgainst(records);
  if (reason === null) return [];
  if (records.length === 1) return [{ record: first, reason }];
  const middle = records.length >> 1;
  return [
    ...(await findCulprits(records.slice(0, middle), reasonAgainst)),
    ...(await findCulprits(records.slice(middle), reasonAgainst)),
  ];
}
