import { defineCheck, notApplicable, pass, warn } from '../facts/check.js';
import { told } from '../facts/retrievals.js';

export const mixedContent = defineCheck({
  id: 'mixed_content',
  title: 'The home page loads nothing over http',
  category: 'page',
  weight: 4,
  needs: ['page'],
  judge({ page: { html, retrieval } }) {
    if (!retrieval.finalUrl.startsWith('https:'))
      return notApplicable('The home page itself comes over http.', told(retrieval));
    if (html.insecure.length === 0)
      return pass('What the home page loads comes over https.', told(retrieval));
    return warn(
      'The home page loads parts over http. Browsers block scripts, styles and frames among them, and ask for pictures and sound over https instead: what does not come is missed by people and by crawlers that render.',
      {
        ...told(retrieval),
        parts: html.insecure.length,
        examples: html.insecure.slice(0, 5).map((url) => url.slice(0, 500)),
      },
    );
  },
});
