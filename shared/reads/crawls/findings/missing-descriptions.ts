import { IS_JUDGED, pagesWhere } from './crawl-finding-sql.js';
import type { CrawlFinding } from './finding.js';

export const missingDescriptions: CrawlFinding = {
  key: 'missing_descriptions',
  severity: 'low',
  rule: 'Judged pages without a description.',
  value: null,
  text: null,
  problems: [],
  select: pagesWhere(`${IS_JUDGED} AND description = ''`),
};
