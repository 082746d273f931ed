import { defineCheck, notApplicable, pass } from '../facts/check.js';
import { advise, evidenceOf } from '../facts/retrievals.js';

const HALF_YEAR_SECONDS = 15_552_000;

export const hsts = defineCheck({
  id: 'hsts',
  title: 'Browsers must stay on https',
  category: 'security',
  weight: 3,
  needs: ['page'],
  judge({ page: { retrieval } }) {
    if (!retrieval.finalUrl.startsWith('https:'))
      return notApplicable('The home page comes over http.', evidenceOf(retrieval));
    const header = retrieval.headers.get('strict-transport-security')?.slice(0, 300) ?? null;
    const seconds = Number(/max-age="?(\d{1,12})/i.exec(header ?? '')?.[1] ?? 0);
    const seen = { strict_transport_security: header };
    if (seconds >= HALF_YEAR_SECONDS)
      return pass('Browsers stay on https for at least half a year.', { ...evidenceOf(retrieval), ...seen });
    return advise(
      header === null
        ? 'There is no Strict-Transport-Security. The first request of each visit may use http, and an attacker may redirect it.'
        : 'Strict-Transport-Security is valid for less than half a year.',
      retrieval,
      ['Send Strict-Transport-Security: max-age=31536000 once all of the website answers over https.'],
      seen,
    );
  },
});
