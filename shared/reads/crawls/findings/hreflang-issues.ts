import { faultOf } from './crawl-finding-sql.js';
import type { CrawlFinding } from './finding.js';

/** Language, script and region (BCP 47) as search engines read them. UK is not a valid region and is the most common mistake. */
const VALID =
  "(match(a.lang, '(?i)^(x-default|[a-z]{2,3}(-[a-z]{4})?(-([a-z]{2}|[0-9]{3}))?)$') AND NOT endsWith(lower(a.lang), '-uk'))";
const FAULT = faultOf('t');

export const hreflangIssues: CrawlFinding = {
  key: 'hreflang_issues',
  severity: 'medium',
  rule: 'Indexable pages with an invalid hreflang: it names no language, a page that cannot be indexed, or a page that does not name them in return.',
  value: 'Alternates at fault.',
  text: 'The first of them: its language and its address.',
  problems: ['language', 'redirect', 'error', 'noindex', 'robots', 'canonical', 'no_return'],
  select: `SELECT page, argMin(fault, place) AS problem, toUInt32(count()) AS value, argMin(told, place) AS text,
  arraySlice(arrayDistinct(groupArraySorted(8)(alternate)), 1, 3) AS examples
FROM (
  SELECT a.page AS page, a.place AS place, concat(a.lang, ' ', a.target) AS told, if(t.url = '', a.page, t.page) AS alternate,
    multiIf(NOT ${VALID}, 'language', t.url = '' OR a.target = a.url, '', ${FAULT} != '', ${FAULT},
      t.status = 200 AND NOT has(t.hreflang_urls, a.url), 'no_return', '') AS fault
  FROM (
    SELECT page, url, h.1 AS lang, h.2 AS target, h.3 AS place FROM pages
    ARRAY JOIN arrayZip(hreflang_langs, hreflang_urls, arrayEnumerate(hreflang_urls)) AS h
    WHERE indexable
  ) AS a
  LEFT ANY JOIN (
    SELECT page, url, status, error, fetched_at, robots_allowed, redirect_to, unindexable_reason, hreflang_urls FROM pages
  ) AS t ON t.url = a.target
)
WHERE fault != ''
GROUP BY page`,
};
