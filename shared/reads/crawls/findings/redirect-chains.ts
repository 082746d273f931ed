import { IS_REDIRECT, linksOfKind } from './crawl-finding-sql.js';
import type { CrawlFinding } from './finding.js';

/** Maximum hops that are followed. The pages of a loop of more hops are not reported: no page of it has a redirect that ends. */
const MOST_HOPS = 6;

const hops = Array.from({ length: MOST_HOPS }, (_, index) => `h${index + 1}`);
const joins = hops.map(
  (hop, index) =>
    `LEFT ANY JOIN (${'SELECT from_page, to_page, redirect_to, 1 AS is_there FROM redirects'}) AS ${hop} ON ${hop}.from_page = ${index === 0 ? 'p.page' : `${hops[index - 1]}.to_page`}`,
);
const isLoop = hops.map((hop) => `(${hop}.is_there = 1 AND ${hop}.to_page = p.page)`).join(' OR ');
const last = hops
  .toReversed()
  .map((hop) => `${hop}.is_there = 1, ${hop}.redirect_to`)
  .join(', ');

export const redirectChains: CrawlFinding = {
  key: 'redirect_chains',
  severity: 'medium',
  rule: 'Pages that redirect to another redirect: the first of each chain, and every page of a loop.',
  value: `Redirects, ${MOST_HOPS} at most; 0 of a loop.`,
  text: 'Where the last of them leads.',
  problems: ['chain', 'loop'],
  // A redirect to a page outside the crawl leads to the greatest page number, which no page has.
  select: `WITH redirects AS (
  SELECT p.page AS from_page, if(k.known = 1, k.to_page, 4294967295) AS to_page, p.redirect_to AS redirect_to
  FROM (SELECT page, redirect_to FROM pages WHERE ${IS_REDIRECT}) AS p
  LEFT ANY JOIN (${linksOfKind('redirect')}) AS k ON k.from_page = p.page
)
SELECT page, if(is_loop, 'loop', 'chain') AS problem, toUInt32(if(is_loop, 0, hops)) AS value, leads AS text, [next] AS examples
FROM (
  SELECT p.page AS page, ${hops.map((hop) => `${hop}.is_there`).join(' + ')} AS hops, ${isLoop} AS is_loop,
    multiIf(${last}, '') AS leads, h1.to_page AS next
  FROM (SELECT page FROM pages WHERE ${IS_REDIRECT}) AS p
  ${joins.join('\n  ')}
)
WHERE hops > 1 AND (is_loop OR page NOT IN (SELECT to_page FROM redirects))`,
};
