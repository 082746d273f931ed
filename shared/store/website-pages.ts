import type { ClickHouseReader, Query } from './client.js';

/** Rows of one statement: the number of websites is unbounded. */
const PAGE_ROWS = 100_000;

/**
 * Rows of all websites, page by page.
 * @param query ordered by website id; it binds `after` and `page_rows`. All rows of one website are on one page.
 * @param isWanted rows of other websites are dropped
 */
export async function readByWebsites<Row extends { readonly websiteId: string }>(
  reader: ClickHouseReader,
  query: Query<Row>,
  pageRows = PAGE_ROWS,
  isWanted: (websiteId: string) => boolean = () => true,
): Promise<Row[]> {
  const rows: Row[] = [];
  for (let after = ''; ; ) {
    const page = await reader.read({ ...query, params: { ...query.params, after, page_rows: pageRows } });
    for (const row of page) if (isWanted(row.websiteId)) rows.push(row);
    if (page.length < pageRows) return rows;
    after = page.at(-1)!.websiteId;
  }
}
