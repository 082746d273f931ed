import type { Clause } from '../sql/clause.js';
import {
  type CoverageQuestion,
  type CoverageStatus,
  conditions,
  coverageOf,
} from './sitemap-coverage-sql.js';

/** All rows of sitemap coverage with their sitemap fields, for a file. A page reads the same in two steps (sitemap-coverage.ts). */
export function sitemapCoverageRows(question: CoverageQuestion, status: CoverageStatus): Clause {
  const { sql, params } = coverageOf(question);
  return {
    sql: `SELECT b.path AS path, b.query AS query, b.listed AS is_listed, b.crawls AS crawls, b.last_crawl AS last_crawl, b.file_type AS file_type,
  b.response_code AS response_code, b.bot_name AS bot_name, u.url AS url, u.sitemap AS sitemap, u.lastmod AS lastmod, u.first_seen AS url_first_seen
FROM (SELECT * FROM (${sql}) AS b WHERE ${conditions[status]}) AS b
LEFT JOIN (
  SELECT path, query, tupleElement(max(listed), 'url') AS url, tupleElement(max(listed), 'sitemap') AS sitemap,
    tupleElement(max(listed), 'lastmod') AS lastmod, min(first_seen) AS first_seen
  FROM sitemap_urls WHERE website_id = {listed_website_id: String} GROUP BY path, query
) AS u ON b.listed AND b.path = u.path AND b.query = u.query`,
    params,
  };
}
