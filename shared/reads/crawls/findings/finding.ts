/** A finding of a crawl's audit. Each has its own file; `all-crawl-findings.ts` lists them and docs/crawls-and-checks.md explains them. */

export const severities = ['high', 'medium', 'low'] as const;
export type Severity = (typeof severities)[number];

export interface CrawlFinding {
  /** Its name in the API (spec §4.6). */
  readonly key: string;
  readonly severity: Severity;
  /** The pages that it lists, with its limits, as text for people. */
  readonly rule: string;
  /** Meaning of `value` and `text` of a row; null: the rows have none. */
  readonly value: string | null;
  readonly text: string | null;
  /** Possible values of `problem`; empty: the rule covers a single fault. */
  readonly problems: readonly string[];
  /**
   * A SELECT of `page`, `problem`, `value`, `text` and `examples`, each page once. It reads `pages` (rows of crawl_pages) and the SQL of
   * crawl-finding-sql.ts. The same crawl gives the same rows.
   */
  readonly select: string;
}
