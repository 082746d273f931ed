import { column, pathText, tableOrNone } from '../texts.js';
import { type Find, MOST_EXAMPLES } from './finding.js';

const told = new Map([
  ['no_sitemap', 'robots.txt names no sitemap, and there is none in the usual places.'],
  ['not_read_yet', 'No sitemap could be read.'],
]);

export const sitemapUnread: Find = ({ sitemap }) => {
  const problems = sitemap?.snapshot?.problems ?? [];
  const figure =
    told.get(sitemap?.reason ?? '') ??
    (problems.length > 0 ? `Sitemap files could not be read: ${problems.length}.` : undefined);
  if (figure === undefined) return null;
  return {
    title: 'Sitemaps are missing or can not be read',
    figure,
    why: 'A sitemap is how a search engine learns of pages that few links lead to, and of what has changed.',
    action: 'List every page that should be found, and name the file in robots.txt.',
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
