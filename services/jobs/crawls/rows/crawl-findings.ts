import type { CrawlOf } from '../../../../shared/reads/crawls/findings/crawl-page.js';
import type { CrawlFinding } from '../../../../shared/reads/crawls/findings/finding.js';
import { crawlParams, OF_CRAWL } from '../../../../shared/reads/crawls/findings/of-crawl.js';
import type { ClickHouseWriter } from '../../../../shared/store/client.js';

/** Limits of one finding. With 50,000 pages and 5 million links no finding comes near them (docs/crawls-and-checks.md). */
const settings = { max_execution_time: 110, max_bytes_before_external_group_by: '200000000' };

/**
 * Computes a finding in the engine and stores its rows. Repeating it stores the same rows, which replace the first ones.
 * @param hasNoLinks the upload has no links: the counts in the stored ranks are used. @throws as ClickHouseWriter.command
 */
export function writeCrawlFinding(
  writer: Pick<ClickHouseWriter, 'command'>,
  crawl: CrawlOf,
  { key, select }: Pick<CrawlFinding, 'key' | 'select'>,
  hasNoLinks = false,
): Promise<void> {
  return writer.command(
    `INSERT INTO crawl_findings (website_id, crawl_id, finding, page, problem, value, text, examples)
WITH pages AS (SELECT * FROM crawl_pages FINAL WHERE ${OF_CRAWL})
SELECT {crawl_website_id: String}, {crawl_id: String}, {finding: String}, page, problem, value, text, examples FROM (${select})`,
    { ...crawlParams(crawl), finding: key, links_untold: hasNoLinks },
    settings,
  );
}
