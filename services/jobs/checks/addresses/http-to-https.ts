import { defineCheck, fail, notApplicable, pass, warn } from '../facts/check.js';
import { evidenceOf, notAnswered } from '../facts/retrievals.js';
import { isPermanent } from './redirects.js';

export const httpToHttps = defineCheck({
  id: 'http_to_https',
  title: 'http leads to https',
  category: 'addresses',
  weight: 7,
  needs: ['plain'],
  judge({ plain }) {
    if (plain.error?.code === 'refused' || plain.error?.code === 'timeout')
      return notApplicable(
        'The website does not answer over http, so everyone uses https.',
        evidenceOf(plain),
      );
    if (plain.finalUrl === null) return notAnswered('The address with http', plain);
    if (!plain.finalUrl.startsWith('https:'))
      return plain.outcome === 'blocked' || plain.outcome === 'server_error'
        ? notAnswered('The address with http', plain)
        : fail(
            'The website can be read over http. Each page has two addresses, which split its links. Data that people send is not encrypted.',
            evidenceOf(plain),
          );
    if (!plain.redirects.every(isPermanent))
      return warn(
        'http leads to https, but by a temporary redirect. Search engines may keep the address with http.',
        {
          ...evidenceOf(plain),
          advisories: ['Redirect with 301 or 308.'],
        },
      );
    return pass('http leads to https, permanently.', evidenceOf(plain));
  },
});
