import type { LogRecord } from '../../../../shared/event-log/event-log.js';

/** A record for requests.dead, with the reason. */
export interface DeadRecord {
  readonly record: LogRecord;
  readonly reason: string;
}

export interface Search {
  /** The reason why these records together fail; null: they succeed. */
  reasonAgainst(records: readonly LogRecord[]): Promise<string | null>;
  /**
   * False: the search is over its bound. The records that failed together are then all culprits, including
   * good ones.
   */
  mayGoOn?(): boolean;
}

/**
 * Finds the records that fail alone, by binary search. Records that fail only together have no culprit,
 * within the bound of the search.
 */
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
