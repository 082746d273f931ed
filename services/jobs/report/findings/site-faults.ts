import { faultText } from '../sections/site.js';
import { column, pathText, shareOf, tableOrNone, whole } from '../texts.js';
import { type Find, impact, MOST_EXAMPLES } from './finding.js';

export const siteFaults: Find = ({ siteAudit }) => {
  if (siteAudit === null) return null;
  const high = siteAudit.findings.filter(({ severity }) => severity === 'high');
  const pages = high.reduce((sum, { count }) => sum + count, 0);
  if (pages === 0) return null;
  const named = high.map(({ key, count }) => `${faultText(key)} (${whole(count)})`).join(', ');
  const rows = high
    .flatMap(({ key, rows: all }) => all.map((row) => ({ ...row, fault: faultText(key) })))
    .toSorted((a, b) => b.search_hits - a.search_hits);
  return {
    title: 'Pages of the site have severe faults',
    figure: `The crawl of the site found ${named}.`,
    why: 'Search engines drop such pages, or never get to them, and visitors meet the same faults.',
    action: 'Mend first what search crawlers fetch most: the audit lists the pages in that order.',
    read: 'GET /crawl-audit',
    impact: impact(30 + shareOf(pages, siteAudit.crawl?.url_count ?? 0), 75),
    examples: tableOrNone(
      'Fetched most by search crawlers',
      [column('Page', 'path'), column('Fault'), column('Fetches', 'number')],
      rows
        .slice(0, MOST_EXAMPLES)
        .map(({ path, fault, search_hits }) => [pathText(path), fault, whole(search_hits)]),
    ),
  };
};
