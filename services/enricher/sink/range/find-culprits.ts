import type { LogRecord } from '../../../../shared/event-log/event-log.js';

/** A record that goes to requests.dead, and why. */
export interface DeadRecord {
  readonly record: LogRecord;
  readonly reason: string;
}

export interface Search {
  /** What is wrong with these records taken together; null: nothing. */
  reasonAgainst(records: readonly LogRecord[]): Promise<string | null>;
  /** False: the search is over its bound; what was last refused together is taken as culprits, good records among them. */
  mayGoOn?(): boolean;
}

/** Finds the records that fail by themselves, by halving. What fails only together with others has no culprit, within the bound of the search. */
export async function findCulprits(records: readonly LogRecord[], search: Search): Promise<DeadRecord[]> {
  if (records.length === 0) return [];
  const reason = await search.reasonAgainst(records);
  return reason === null ? [] : culpritsOf(records, reason, search);
}

async function culpritsOf(
  records: readonly LogRecord[],
  reason: string,
  search: Search,
): Promise<DeadRecord[]> {
  if (records.length === 1 || search.mayGoOn?.() === false) {
    return records.map((record) => ({ record, reason }));
  }
  const middle = records.length >> 1;
  return [
    ...(await findCulprits(records.slice(0, middle), search)),
    ...(await findCulprits(records.slice(middle), search)),
  ];
}
