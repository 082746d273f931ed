import { pagesSharing } from './crawl-finding-sql.js';
import type { CrawlFinding } from './finding.js';

export const duplicateDescriptions: CrawlFinding = {
  key: 'duplicate_descriptions',
  severity: 'low',
  rule: 'Judged pages whose description, ignoring case, another one of the same language has.',
  value: 'Pages that have it.',
  text: 'The description.',
  problems: [],
  select: pagesSharing('description'),
};
