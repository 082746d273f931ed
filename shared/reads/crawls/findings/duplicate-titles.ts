import { pagesSharing } from './crawl-finding-sql.js';
import type { CrawlFinding } from './finding.js';

export const duplicateTitles: CrawlFinding = {
  key: 'duplicate_titles',
  severity: 'medium',
  rule: 'Judged pages whose title, ignoring case, another one of the same language has.',
  value: 'Pages that have it.',
  text: 'The title.',
  problems: [],
  select: pagesSharing('title'),
};
