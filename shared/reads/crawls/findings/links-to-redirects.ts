import { IS_REDIRECT, linkedPagesWhere } from './crawl-finding-sql.js';
import type { CrawlFinding } from './finding.js';

export const linksToRedirects: CrawlFinding = {
  key: 'links_to_redirects',
  severity: 'low',
  rule: 'Linked pages that redirect.',
  value: 'Pages that link to it.',
  text: 'Redirect target.',
  problems: [],
  select: linkedPagesWhere(IS_REDIRECT, { text: 'p.redirect_to' }),
};
