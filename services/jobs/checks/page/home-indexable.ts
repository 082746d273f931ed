import { defineCheck, fail, pass } from '../facts/check.js';
import { evidenceOf } from '../facts/retrievals.js';
import { noindexOf } from './indexing.js';

export const homeIndexable = defineCheck({
  id: 'home_indexable',
  title: 'The home page is indexable',
  category: 'page',
  weight: 10,
  needs: ['page'],
  judge({ page }) {
    const found = noindexOf(page);
    if (found.length === 0)
      return pass('No rule forbids search engines to list the home page.', evidenceOf(page.retrieval));
    return fail('The home page tells search engines not to list it.', {
      ...evidenceOf(page.retrieval),
      found,
    });
  },
});
