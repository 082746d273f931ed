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
    if (barred.length === 0)
      return pass('None of the requested pages forbids search engines to list it.', seen);
    return warn(
      'Pages that search crawlers fetch most forbid search engines to list them. Even if you intend this, they use crawl budget.',
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
