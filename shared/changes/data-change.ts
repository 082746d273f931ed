/** A change of stored data that answers of the API may depend on. It is reported when it is readable, or may be. */
export interface DataChange {
  /** null: any website. */
  readonly websiteId: string | null;
  /**
   * The hours into which rows of `requests` were inserted: the first and the last one, counted since the epoch (UTC).
   * Absent: rows of any hour may have changed or may be gone.
   */
  readonly firstHour?: number | undefined;
  readonly lastHour?: number | undefined;
  /** Only other tables changed, for example verdicts or alerts: no hour did. */
  readonly keepsRows?: boolean | undefined;
}

/** Spans of one change. Requests in more hours count as a change of all hours. */
const MOST_SPANS = 100;

/** The change of a website's rows in these hours, as one change for each run of consecutive hours. */
export function changesOfHours(websiteId: string, hours: Iterable<number>): DataChange[] {
  const sorted = Float64Array.from(hours).sort();
  const changes: { websiteId: string; firstHour: number; lastHour: number }[] = [];
  for (const hour of sorted) {
    const last = changes.at(-1);
    if (last !== undefined && hour <= last.lastHour + 1) last.lastHour = hour;
    else if (changes.length === MOST_SPANS) return [{ websiteId }];
    else changes.push({ websiteId, firstHour: hour, lastHour: hour });
  }
  return changes;
}

/** A change of other tables for each website of these rows. */
export function changesBesideRows(rows: Iterable<{ readonly websiteId: string }>): DataChange[] {
  const websiteIds = new Set(Array.from(rows, ({ websiteId }) => websiteId));
  return Array.from(websiteIds, (websiteId) => ({ websiteId, keepsRows: true }));
}
