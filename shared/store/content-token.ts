import { createHash } from 'node:crypto';

/** A deduplication token derived from the rows: equal rows have equal tokens in any insert. */
export function contentToken(table: string, rows: readonly unknown[]): string {
  return `${table}/${createHash('sha256').update(JSON.stringify(rows)).digest('hex').slice(0, 32)}`;
}
