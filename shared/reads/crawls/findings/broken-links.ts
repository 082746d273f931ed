import { IS_BROKEN, linkedPagesWhere } from './crawl-finding-sql.js';
import type { CrawlFinding } from './finding.js';

export const brokenLinks: CrawlFinding = {
  key: 'broken_links',
  severity: 'high',
  rule: 'Linked pages that answer 4xx (except 429) or 5xx, or not at all.',
  value: 'Pages that link to it.',
  text: 'Why there was no answer.',
  problems: ['client_error', 'server_error', 'no_answer'],
  select: linkedPagesWhere(IS_BROKEN, {
    problem: "multiIf(p.status = 0, 'no_answer', p.status < 500, 'client_error', 'server_error')",
    text: 'toString(p.error)',
  }),
};
