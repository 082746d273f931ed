import { accessFailureOf } from '../../checks/sitemaps/access-failure.js';
import { type Find, MOST_EXAMPLES } from '../model/finding.js';
import { column, counted, pathText, tableOrNone } from '../model/texts.js';

const wordings = new Map([
  ['no_sitemap', 'robots.txt names no sitemap, and none was found at the usual addresses.'],
  ['not_read_yet', 'No sitemap could be read.'],
]);

export const sitemapUnread: Find = ({ sitemap }) => {
  const problems = sitemap?.snapshot?.problems ?? [];
  // Files that only Loglane did not get may exist for search engines.
  if (accessFailureOf(problems.map(({ problem }) => ({ code: problem }))) !== null) return null;
  const figure =
    wordings.get(sitemap?.reason ?? '') ??
    (problems.length > 0
      ? `${counted(problems.length, 'sitemap file', 'sitemap files')} could not be read.`
      : undefined);
  if (figure === undefined) return null;
  return {
    title: 'Sitemaps are missing or cannot be read',
    figure,
    why: 'Search engines use sitemaps to find pages that have few links, and to see which pages changed.',
    action: 'List every page that search engines should find, and name the sitemap in robots.txt.',
    read: 'GET /seo/sitemap',
    impact: 45,
    examples: tableOrNone(
      'What failed',
      [column('File', 'path'), column('Why', 'prose')],
      problems
        .slice(0, MOST_EXAMPLES)
        .map(({ sitemap: file, message }) => [pathText(file), pathText(message)]),
    ),
  };
};
