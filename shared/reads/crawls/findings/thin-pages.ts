import { HAS_NO_SPACES, IS_JUDGED, pagesWhere } from './crawl-finding-sql.js';
import type { CrawlFinding } from './finding.js';

/** Includes navigation: a page with fewer words has almost no content of its own. */
const FEWEST_WORDS = 100;

export const thinPages: CrawlFinding = {
  key: 'thin_pages',
  severity: 'medium',
  rule: `Judged pages with fewer than ${FEWEST_WORDS} words; languages without spaces between words are left out.`,
  value: 'Words.',
  text: null,
  problems: [],
  select: pagesWhere(`${IS_JUDGED} AND words < ${FEWEST_WORDS} AND NOT ${HAS_NO_SPACES}`, { value: 'words' }),
};
