import { IS_HTML, pagesWhere } from './crawl-finding-sql.js';
import type { CrawlFinding } from './finding.js';

/** The page is timed once and from one place, so the limit is well above the 800 ms that web.dev calls good. */
const LONGEST_MS = 1_000;

export const slowPages: CrawlFinding = {
  key: 'slow_pages',
  severity: 'medium',
  rule: `Pages (200, HTML) that took longer than ${LONGEST_MS} ms to begin their answer.`,
  value: 'Milliseconds until the head of the answer.',
  text: null,
  problems: [],
  select: pagesWhere(`status = 200 AND ${IS_HTML} AND ms > ${LONGEST_MS}`, { value: 'ms' }),
};
