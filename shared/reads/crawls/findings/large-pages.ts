import { IS_HTML, pagesWhere } from './crawl-finding-sql.js';
import type { CrawlFinding } from './finding.js';

/** Without images and scripts; crawlers stop reading after a few megabytes. */
const MOST_BYTES = 1_000_000;

export const largePages: CrawlFinding = {
  key: 'large_pages',
  severity: 'low',
  rule: `Pages (200, HTML) of more than ${MOST_BYTES} bytes after decompression.`,
  value: 'Bytes, as far as they were read.',
  text: null,
  problems: [],
  select: pagesWhere(`status = 200 AND ${IS_HTML} AND bytes > ${MOST_BYTES}`, { value: 'bytes' }),
};
