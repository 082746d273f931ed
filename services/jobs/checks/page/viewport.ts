import { defineCheck, pass, warn } from '../facts/check.js';
import { evidenceOf } from '../facts/retrievals.js';

export const viewport = defineCheck({
  id: 'viewport',
  title: 'The home page is adapted to phones',
  category: 'page',
  weight: 3,
  needs: ['page'],
  judge({ page: { html, retrieval } }) {
    const content = html.metas.get('viewport')?.[0];
    const seen = { ...evidenceOf(retrieval), viewport: content?.slice(0, 200) ?? null };
    if (content === undefined)
      return warn(
        'The home page has no viewport, so phones show it small. Google indexes the version for phones.',
        seen,
      );
    if (!content.toLowerCase().includes('width=device-width'))
      return warn('The viewport does not follow the width of the phone.', seen);
    return pass('The home page follows the width of the phone.', seen);
  },
});
