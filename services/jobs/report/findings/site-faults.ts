import { type Find, impact, MOST_EXAMPLES } from '../model/finding.js';
import { column, pathText, shareOf, tableOrNone, whole } from '../model/texts.js';
import { faultText } from '../sections/site.js';

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
    title: 'The site crawl found severe faults',
    figure: `The crawl of the site found: ${named}.`,
    why: 'Search engines drop such pages or never reach them, and visitors meet the same faults.',
    action: 'Repair first the pages that search crawlers fetch most. The audit lists them in that order.',
    read: 'GET /crawl-audit',
    impact: impact(30 + shareOf(pages, siteAudit.crawl?.url_count ?? 0), 75),
    examples: tableOrNone(
      'Pages with faults that search crawlers fetch most',
      [column('Page', 'path'), column('Fault'), column('Fetches', 'number')],
      rows
        .slice(0, MOST_EXAMPLES)
        .map(({ path, fault, search_hits }) => [pathText(path), fault, whole(search_hits)]),
    ),
  };
};
