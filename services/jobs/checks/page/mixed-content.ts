import { defineCheck, notApplicable, pass, warn } from '../facts/check.js';
import { evidenceOf } from '../facts/retrievals.js';

export const mixedContent = defineCheck({
  id: 'mixed_content',
  title: 'The home page loads nothing over http',
  category: 'page',
  weight: 4,
  needs: ['page'],
  judge({ page: { html, retrieval } }) {
    if (!retrieval.finalUrl.startsWith('https:'))
      return notApplicable('The home page itself comes over http.', evidenceOf(retrieval));
    if (html.insecure.length === 0)
      return pass('All resources of the home page are loaded over https.', evidenceOf(retrieval));
    return warn(
      'The home page loads parts over http. Browsers block such scripts, styles and frames, and load pictures and sound over https instead. Parts that fail to load are missing for people and for crawlers that render pages.',
      {
        ...evidenceOf(retrieval),
        parts: html.insecure.length,
        examples: html.insecure.slice(0, 5).map((url) => url.slice(0, 500)),
      },
    );
  },
});
