import { pagesSharing } from './crawl-finding-sql.js';
import type { CrawlFinding } from './finding.js';

export const duplicateTitles: CrawlFinding = {
  key: 'duplicate_titles',
  severity: 'medium',
  rule: 'Judged pages with the title of another judged page of the same language, ignoring case.',
  value: 'Pages that have it.',
  text: 'The title.',
  problems: [],
  select: pagesSharing('title'),
};
