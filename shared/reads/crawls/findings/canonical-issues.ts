import { faultOf, findingColumns, IS_HTML, linksOfKind } from './crawl-finding-sql.js';
import type { CrawlFinding } from './finding.js';

/** A canonical that the crawl does not know is a fault only if its host differs. */
export const canonicalIssues: CrawlFinding = {
  key: 'canonical_issues',
  severity: 'high',
  rule: 'Pages (200, HTML) with a canonical on another host, or a canonical that cannot be indexed: it redirects, fails, is noindex, is blocked by robots.txt or names another canonical.',
  value: null,
  text: 'The canonical.',
  problems: ['other_host', 'redirect', 'error', 'noindex', 'robots', 'canonical'],
  select: `SELECT page, problem, value, text, examples FROM (
  SELECT p.page AS page, ${findingColumns({
    problem: `multiIf(k.known = 1 AND t.page != p.page, ${faultOf('t')}, domainWithoutWWW(p.canonical) != domainWithoutWWW(p.url), 'other_host', '')`,
    text: 'p.canonical',
    examples: 'if(k.known = 1, [k.to_page], [])',
  })}
  FROM (SELECT page, url, canonical FROM pages WHERE status = 200 AND ${IS_HTML} AND canonical != '' AND canonical != url) AS p
  LEFT ANY JOIN (${linksOfKind('canonical')}) AS k ON k.from_page = p.page
  LEFT ANY JOIN pages AS t ON t.page = k.to_page
) WHERE problem != ''`,
};
