import { createHash } from 'node:crypto';

/** A deduplication token of rows that nothing else names: the same rows have the same, in whatever insert they come again. */
export function contentToken(table: string, rows: readonly unknown[]): string {
  return `${table}/${createHash('sha256').update(JSON.stringify(rows)).digest('hex').slice(0, 32)}`;
}
