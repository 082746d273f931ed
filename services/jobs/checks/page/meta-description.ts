import { defineCheck, pass, warn } from '../facts/check.js';
import { evidenceOf } from '../facts/retrievals.js';

const LONG = 320;

export const metaDescription = defineCheck({
  id: 'meta_description',
  title: 'The home page has a description',
  category: 'page',
  weight: 3,
  needs: ['page'],
  judge({ page: { html, retrieval } }) {
    const [text = '', ...others] = html.metas.get('description') ?? [];
    const seen = { ...evidenceOf(retrieval), description: text.slice(0, LONG), characters: text.length };
    if (text === '')
      return warn(
        'The home page has no description. Search engines then take a text for the results from the page.',
        seen,
      );
    if (others.length > 0)
      return warn('The home page has several descriptions; search engines choose one.', seen);
    if (text.length > LONG)
      return warn(`The description has more than ${LONG} characters; results cut it.`, seen);
    return pass('The home page has a description.', seen);
  },
});
