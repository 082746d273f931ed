import { IS_JUDGED, pagesWhere } from './crawl-finding-sql.js';
import type { CrawlFinding } from './finding.js';

export const missingH1: CrawlFinding = {
  key: 'missing_h1',
  severity: 'low',
  rule: 'Judged pages without an h1, or with an empty first h1.',
  value: null,
  text: null,
  problems: [],
  select: pagesWhere(`${IS_JUDGED} AND h1 = ''`),
};
