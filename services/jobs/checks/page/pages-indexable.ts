import { defineCheck, pass, warn } from '../facts/check.js';
import { noindexOf } from './indexing.js';

export const pagesIndexable = defineCheck({
  id: 'pages_indexable',
  title: 'The most crawled pages are indexable',
  category: 'page',
  weight: 6,
  needs: ['pages'],
  judge({ pages }) {
    const barred = pages.filter((page) => noindexOf(page).length > 0);
    const seen = { pages: pages.length };
    if (barred.length === 0) return pass('None of the pages that were asked forbids to be listed.', seen);
    return warn(
      'Pages that search crawlers fetch most tell them not to list them. If that is meant, crawl budget goes into them all the same.',
      {
        ...seen,
        examples: barred.map((page) => ({
          url: page.retrieval.finalUrl.slice(0, 500),
          found: noindexOf(page),
        })),
      },
    );
  },
});
