import { linkedPagesWhere } from './crawl-finding-sql.js';
import type { CrawlFinding } from './finding.js';

export const robotsBlocked: CrawlFinding = {
  key: 'robots_blocked',
  severity: 'medium',
  rule: 'Linked pages that robots.txt disallows.',
  value: 'Pages that link to it.',
  text: null,
  problems: [],
  select: linkedPagesWhere('NOT robots_allowed'),
};
