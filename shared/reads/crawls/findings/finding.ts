/** Findings of a crawl's audit, one file each, listed in `all-crawl-findings.ts`. docs/crawls-and-checks.md gives the reason of each. */

export const severities = ['high', 'medium', 'low'] as const;
export type Severity = (typeof severities)[number];

export interface CrawlFinding {
  /** As the API names it (spec §4.6). */
  readonly key: string;
  readonly severity: Severity;
  /** Which pages it tells, with its limits, for people. */
  readonly rule: string;
  /** What `value` and `text` of a row hold; null: nothing. */
  readonly value: string | null;
  readonly text: string | null;
  /** The words that `problem` may say; none: the rule knows one fault alone. */
  readonly problems: readonly string[];
  /**
   * A SELECT of `page`, `problem`, `value`, `text` and `examples`, each page once, over `pages` (rows of crawl_pages) and what crawl-finding-sql.ts has.
   * The same crawl gives the same rows.
   */
  readonly select: string;
}
