import type { ClickHouseReader, Query } from './client.js';

/** Rows of one statement: there may be any number of websites. */
const PAGE_ROWS = 100_000;

/**
 * Rows of all websites, page by page.
 * @param query in the order of the websites' ids; it binds `after` and `page_rows`. Rows of one website are all on one page.
 * @param isWanted others are not kept in memory
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
