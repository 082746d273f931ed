import { pagesSharing } from './crawl-finding-sql.js';
import type { CrawlFinding } from './finding.js';

export const duplicateDescriptions: CrawlFinding = {
  key: 'duplicate_descriptions',
  severity: 'low',
  rule: 'Judged pages with the description of another judged page of the same language, ignoring case.',
  value: 'Pages that have it.',
  text: 'The description.',
  problems: [],
  select: pagesSharing('description'),
};
