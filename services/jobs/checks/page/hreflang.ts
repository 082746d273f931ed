import { isUrl } from '../../../../shared/urls/is-url.js';
import { normalUrl } from '../../../../shared/urls/normal-spelling.js';
import { defineCheck, notApplicable, pass, warn } from '../facts/check.js';
import { evidenceOf } from '../facts/retrievals.js';
import { isLanguageTag } from './language-tag.js';

export const hreflang = defineCheck({
  id: 'hreflang',
  title: 'Language versions are declared correctly',
  category: 'page',
  weight: 4,
  needs: ['page'],
  judge({ page: { html, retrieval } }) {
    const { alternates } = html;
    if (alternates.length === 0)
      return notApplicable('The home page names no version in another language.', evidenceOf(retrieval));
    const own = retrieval.finalUrl;
    const wrong = alternates.filter(({ lang }) => lang.toLowerCase() !== 'x-default' && !isLanguageTag(lang));
    const relative = alternates.filter(({ href }) => !isUrl(href));
    const namesItself = alternates.some(
      ({ href }) => isUrl(href, own) && normalUrl(new URL(href, own)) === normalUrl(new URL(own)),
    );
    const langs = alternates.map(({ lang }) => lang.toLowerCase());
    const advisories = [
      ...(wrong.length > 0
        ? [
            `No languages: ${wrong
              .slice(0, 5)
              .map(({ lang }) => lang.slice(0, 35))
              .join(', ')}.`,
          ]
        : []),
      ...(relative.length > 0 ? [`${relative.length} are no full addresses.`] : []),
      ...(namesItself ? [] : ['The page does not name itself among them, as it must.']),
      ...(new Set(langs).size < langs.length ? ['A language is named twice.'] : []),
    ];
    const seen = { ...evidenceOf(retrieval), versions: alternates.length };
    if (advisories.length === 0) return pass('Versions in other languages are declared correctly.', seen);
    return warn('Search engines use hreflang only if all versions declare it correctly.', {
      ...seen,
      advisories,
    });
  },
});
