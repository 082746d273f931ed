import { pagesWhere } from './crawl-finding-sql.js';
import type { CrawlFinding } from './finding.js';

export const noindexPages: CrawlFinding = {
  key: 'noindex_pages',
  severity: 'low',
  rule: 'Pages (200, HTML) with noindex in a meta element or the X-Robots-Tag header.',
  value: null,
  text: 'Its directives for crawlers.',
  problems: [],
  select: pagesWhere("unindexable_reason = 'noindex'", {
    text: "arrayStringConcat(arrayFilter(said -> said != '', [meta_robots, x_robots_tag]), '; ')",
  }),
};
