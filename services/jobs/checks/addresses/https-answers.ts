import { defineCheck, fail, pass } from '../facts/check.js';
import { evidenceOf, notAnswered } from '../facts/retrievals.js';

export const httpsAnswers = defineCheck({
  id: 'https_answers',
  title: 'The website answers over https',
  category: 'addresses',
  weight: 9,
  needs: ['home', 'plain'],
  judge({ home, plain }) {
    if (home.error?.code === 'tls')
      return fail(
        'The certificate is not valid for this name, or TLS fails. Browsers warn people not to visit it, and search engines list the page over http or not at all.',
        { ...evidenceOf(home), problem: home.error.message },
      );
    // The host responds, but not over https.
    if (home.outcome === 'unreachable' && plain.status !== null)
      return fail(
        'The website answers over http alone. Browsers mark it as not secure, and search engines rank https higher.',
        {
          ...evidenceOf(home),
          problem: home.error?.message,
        },
      );
    if (home.finalUrl === null) return notAnswered('The home page', home);
    if (!home.finalUrl.startsWith('https:'))
      return fail(
        'https leads back to http. Browsers mark it as not secure, and search engines rank https higher.',
        evidenceOf(home),
      );
    return pass('The website answers over https, with a valid certificate.', evidenceOf(home));
  },
});
