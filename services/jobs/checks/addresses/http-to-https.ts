import { defineCheck, fail, notApplicable, pass, warn } from '../facts/check.js';
import { notAnswered, told } from '../facts/retrievals.js';
import { isPermanent } from './redirects.js';

export const httpToHttps = defineCheck({
  id: 'http_to_https',
  title: 'http leads to https',
  category: 'addresses',
  weight: 7,
  needs: ['plain'],
  judge({ plain }) {
    if (plain.error?.code === 'refused' || plain.error?.code === 'timeout')
      return notApplicable('Nothing answers over http, so nobody gets there without https.', told(plain));
    if (plain.finalUrl === null) return notAnswered('The address with http', plain);
    if (!plain.finalUrl.startsWith('https:'))
      return plain.outcome === 'blocked' || plain.outcome === 'server_error'
        ? notAnswered('The address with http', plain)
        : fail(
            'The website can be read over http. The same page has two addresses, links count for either, and what people send is open to all.',
            told(plain),
          );
    if (!plain.redirects.every(isPermanent))
      return warn(
        'http leads to https by a redirect for now. Search engines may keep the address with http.',
        {
          ...told(plain),
          advisories: ['Redirect with 301 or 308.'],
        },
      );
    return pass('http leads to https, for good.', told(plain));
  },
});
