import { IS_JUDGED, pagesWhere } from './crawl-finding-sql.js';
import type { CrawlFinding } from './finding.js';

/** Search results show about 600 pixels of a title. */
const LONGEST_TITLE = 60;

export const longTitles: CrawlFinding = {
  key: 'long_titles',
  severity: 'low',
  rule: `Judged pages with a title of more than ${LONGEST_TITLE} characters.`,
  value: 'Characters of the title.',
  text: 'The title.',
  problems: [],
  select: pagesWhere(`${IS_JUDGED} AND lengthUTF8(title) > ${LONGEST_TITLE}`, {
    value: 'lengthUTF8(title)',
    text: 'title',
  }),
};
