import { IS_JUDGED, pagesWhere } from './crawl-finding-sql.js';
import type { CrawlFinding } from './finding.js';

export const missingTitles: CrawlFinding = {
  key: 'missing_titles',
  severity: 'high',
  rule: 'Judged pages without a title.',
  value: null,
  text: null,
  problems: [],
  select: pagesWhere(`${IS_JUDGED} AND title = ''`),
};
