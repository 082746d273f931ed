import { defineCheck, pass, warn } from '../facts/check.js';
import { evidenceOf } from '../facts/retrievals.js';
import { isLanguageTag } from './language-tag.js';

export const lang = defineCheck({
  id: 'lang',
  title: 'The home page declares its language',
  category: 'page',
  weight: 2,
  needs: ['page'],
  judge({ page: { html, retrieval } }) {
    const seen = { ...evidenceOf(retrieval), lang: html.lang };
    if (html.lang === null || html.lang === '')
      return warn(
        'The home page does not declare its language (<html lang="…">). Translators and screen readers guess it.',
        seen,
      );
    if (!isLanguageTag(html.lang))
      return warn(`“${html.lang.slice(0, 35)}” is no known language code.`, seen);
    return pass('The home page declares its language.', seen);
  },
});
