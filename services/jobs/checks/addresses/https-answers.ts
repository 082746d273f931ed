import { defineCheck, fail, pass } from '../facts/check.js';
import { notAnswered, told } from '../facts/retrievals.js';

export const httpsAnswers = defineCheck({
  id: 'https_answers',
  title: 'The website answers over https',
  category: 'addresses',
  weight: 9,
  needs: ['home', 'plain'],
  judge({ home, plain }) {
    if (home.error?.code === 'tls')
      return fail(
        'The certificate is not valid for this name, or TLS fails. Browsers warn people away, and search engines list the page over http or not at all.',
        { ...told(home), problem: home.error.message },
      );
    // Something answers by the name, and not over https.
    if (home.outcome === 'unreachable' && plain.status !== null)
      return fail(
        'The website answers over http alone. Browsers call it not secure, and https counts in the ranking.',
        {
          ...told(home),
          problem: home.error?.message,
        },
      );
    if (home.finalUrl === null) return notAnswered('The home page', home);
    if (!home.finalUrl.startsWith('https:'))
      return fail(
        'https leads back to http. Browsers call it not secure, and https counts in the ranking.',
        told(home),
      );
    return pass('The website answers over https, with a certificate that is valid.', told(home));
  },
});
