import type { Row } from '../output/rows.js';

/** Finds the new rows between two reads of the newest requests. Requests have no id: equal ones are counted. */

export interface Page {
  /** Newest first. */
  readonly rows: readonly Row[];
  /** Reads the page after this one; null: there is none. */
  readonly next: string | null;
}

export interface Found {
  /** Oldest first. */
  readonly fresh: readonly Row[];
  /** Whether more rows came than were read. */
  readonly skipped: boolean;
}

/** Pages of one poll. */
const MOST_PAGES = 4;

export function createFollower(read: (cursor: string | null) => Promise<Page>): () => Promise<Found> {
  let known: ReadonlyMap<string, number> | null = null;
  /** Rows before this time were never read. */
  let floor = '';

  return async function poll() {
    const before = known ?? new Map<string, number>();
    const rows: Row[] = [];
    let next: string | null = null;
    let meets = false;
    for (let pages = 0; pages < (known === null ? 1 : MOST_PAGES); pages++) {
      const page = await read(next);
      rows.push(...page.rows);
      next = page.next;
      meets = page.rows.some((row) => before.has(identityOf(row)));
      if (meets || next === null) break;
    }
    const counts = new Map<string, number>();
    const fresh = rows.filter((row) => {
      const identity = identityOf(row);
      const count = (counts.get(identity) ?? 0) + 1;
      counts.set(identity, count);
      return count > (before.get(identity) ?? 0) && timeOf(row) >= floor;
    });
    const skipped = known !== null && !meets && next !== null;
    known = counts;
    floor = next === null || rows.length === 0 ? '' : timeOf(rows.at(-1)!);
    return { fresh: fresh.reverse(), skipped };
  };
}

/** The request itself, without the verdicts about it, which change. */
function identityOf(row: Row): string {
  const { timestamp, request_id, client_ip, method, host, path, query, status, bytes_sent, time_taken_ms } =
    row;
  return JSON.stringify([
    ...[timestamp, request_id, client_ip, method, host, path, query, status, bytes_sent, time_taken_ms],
    ...[row.user_agent, row.referrer],
  ]);
}

/** ISO 8601 in UTC: texts of one length, in the order of time. */
function timeOf({ timestamp }: Row): string {
  return String(timestamp);
}
