import { defineCheck, fail, pass, warn } from '../facts/check.js';
import { evidenceOf } from '../facts/retrievals.js';

const SHORT = 10;
/** About the characters that fit into a line of results. */
const LONG = 65;

export const title = defineCheck({
  id: 'title',
  title: 'The home page has a title',
  category: 'page',
  weight: 5,
  needs: ['page'],
  judge({ page: { html, retrieval } }) {
    const text = html.title ?? '';
    const seen = { ...evidenceOf(retrieval), page_title: text.slice(0, 200), characters: text.length };
    if (text === '')
      return fail('The home page has no title. It is the line that people click in the results.', seen);
    if (html.titles > 1) return warn(`The head has ${html.titles} titles; search engines choose one.`, seen);
    if (text.length > LONG)
      return warn(`The title has ${text.length} characters; results cut it after some ${LONG}.`, seen);
    if (text.length < SHORT) return warn('The title is too short to describe the website.', seen);
    return pass('The home page has a title of a good length.', seen);
  },
});
