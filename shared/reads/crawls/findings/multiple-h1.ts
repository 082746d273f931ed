import { IS_JUDGED, pagesWhere } from './crawl-finding-sql.js';
import type { CrawlFinding } from './finding.js';

export const multipleH1: CrawlFinding = {
  key: 'multiple_h1',
  severity: 'low',
  rule: 'Judged pages with more than one h1.',
  value: 'Number of h1 elements.',
  text: 'The first h1.',
  problems: [],
  select: pagesWhere(`${IS_JUDGED} AND h1s > 1`, { value: 'h1s', text: 'h1' }),
};
