import { faultOf } from './crawl-finding-sql.js';
import type { CrawlFinding } from './finding.js';

export const sitemapIssues: CrawlFinding = {
  key: 'sitemap_issues',
  severity: 'medium',
  rule: 'Pages in a sitemap that redirect, fail, are noindex, are blocked by robots.txt or name another canonical.',
  value: null,
  text: 'Redirect target, or canonical.',
  problems: ['redirect', 'error', 'noindex', 'robots', 'canonical'],
  select: `SELECT page, problem, value, text, examples FROM (
  SELECT p.page AS page, ${faultOf('p')} AS problem, toUInt32(0) AS value,
    multiIf(problem = 'redirect', p.redirect_to, problem = 'canonical', p.canonical, '') AS text, CAST([], 'Array(UInt32)') AS examples
  FROM (SELECT * FROM pages WHERE in_sitemap) AS p
) WHERE problem != ''`,
};
