import { OF_CRAWL } from './of-crawl.js';

/** SQL parts of the crawl findings. They read `pages`: the crawl's rows of crawl_pages, each page once (crawl-findings.ts). */

/** SQL of a Boolean over a row of `pages`. A page without a content type counts as HTML, as in the crawler (fetch-page.ts). */
export const IS_HTML = "(content_type = '' OR positionCaseInsensitive(content_type, 'html') > 0)";
export const IS_REDIRECT = "(status >= 300 AND status < 400 AND redirect_to != '')";
/** 429 is a result of the crawler's rate and not a fault of the page. */
export const IS_BROKEN =
  "((status >= 400 AND status != 429) OR (status = 0 AND error != '' AND fetched_at > 0 AND robots_allowed))";
const IS_PAGINATED = "match(url, '[?&](page|paged|pg|p)=[0-9]+|/page/[0-9]+/?$')";
/**
 * Pages whose texts are judged: search engines may list them. Excludes later pages of a list, which share their texts with the first page.
 */
export const IS_JUDGED = `(indexable AND NOT ${IS_PAGINATED})`;
/** Writing systems that put no spaces between words. */
export const HAS_NO_SPACES =
  "(match(lang, '(?i)^(zh|ja|th|lo|km|my)(-|$)') OR match(title, '[\\\\p{Han}\\\\p{Hiragana}\\\\p{Katakana}\\\\p{Thai}\\\\p{Lao}\\\\p{Khmer}\\\\p{Myanmar}]'))";

/** SQL of the fault of a page that another page names as the one to list; '' without a fault. @param row its alias. */
export function faultOf(row: string): string {
  const of = (condition: string) =>
    condition.replace(/\b(status|error|fetched_at|robots_allowed|redirect_to)\b/g, `${row}.$1`);
  return `multiIf(NOT ${row}.robots_allowed, 'robots', ${of(IS_REDIRECT)}, 'redirect', ${of(IS_BROKEN)}, 'error',
    ${row}.unindexable_reason = 'noindex', 'noindex', ${row}.unindexable_reason = 'canonical', 'canonical', '')`;
}

/** The columns of a finding's row. */
interface FindingColumns {
  readonly problem?: string;
  readonly value?: string;
  readonly text?: string;
  readonly examples?: string;
}

export function findingColumns({
  problem = "''",
  value = '0',
  text = "''",
  examples = '[]',
}: FindingColumns): string {
  return `${problem} AS problem, toUInt32(${value}) AS value, ${text} AS text, CAST(${examples}, 'Array(UInt32)') AS examples`;
}

/** Pages whose own row satisfies a condition. */
export function pagesWhere(condition: string, columns: FindingColumns = {}): string {
  return `SELECT page, ${findingColumns(columns)} FROM pages WHERE ${condition}`;
}

const LINKS = `crawl_links WHERE ${OF_CRAWL}`;

/**
 * Linked pages that satisfy a condition: value is the number of linking pages, examples are the first of them. For an upload without links,
 * the number comes from the stored ranks.
 */
export function linkedPagesWhere(
  condition: string,
  columns: Omit<FindingColumns, 'value' | 'examples'> = {},
): string {
  return `SELECT p.page AS page, ${findingColumns({ ...columns, value: 'l.linking', examples: 'l.first' })}
FROM (SELECT * FROM pages WHERE ${condition}) AS p
INNER JOIN (
  SELECT to_page, uniqExact(from_page) AS linking, arraySlice(arrayDistinct(groupArraySorted(8)(from_page)), 1, 3) AS first
  FROM ${LINKS} AND kind = 'a' AND from_page != to_page AND to_page IN (SELECT page FROM pages WHERE ${condition})
  GROUP BY to_page
  UNION ALL
  SELECT page AS to_page, inlinks AS linking, emptyArrayUInt32() AS first
  FROM crawl_ranks FINAL
  WHERE ${OF_CRAWL} AND {links_untold: Bool} AND inlinks > 0
) AS l ON l.to_page = p.page`;
}

/** The target of the single link of a kind that a page has: `from_page`, `to_page`, and `known`, which is 1. */
export function linksOfKind(kind: 'redirect' | 'canonical'): string {
  return `SELECT from_page, min(to_page) AS to_page, 1 AS known FROM ${LINKS} AND kind = '${kind}' GROUP BY from_page`;
}

/**
 * Judged pages that share a text with others of the same language, ignoring case: value is the number of pages with the text, examples are
 * others.
 */
export function pagesSharing(column: 'title' | 'description'): string {
  return `SELECT p.page AS page, ${findingColumns({ value: 's.sharing', text: `p.${column}`, examples: 'arraySlice(arrayFilter(other -> other != p.page, s.first), 1, 3)' })}
FROM (SELECT * FROM pages WHERE ${IS_JUDGED} AND ${column} != '') AS p
INNER JOIN (
  SELECT lowerUTF8(${column}) AS shared, lower(lang) AS of_lang, count() AS sharing, groupArraySorted(4)(page) AS first
  FROM pages WHERE ${IS_JUDGED} AND ${column} != '' GROUP BY shared, of_lang HAVING sharing > 1
) AS s ON s.shared = lowerUTF8(p.${column}) AND s.of_lang = lower(p.lang)`;
}
