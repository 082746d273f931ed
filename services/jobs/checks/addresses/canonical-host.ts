import { defineCheck, fail, notApplicable, pass, unknown, warn } from '../facts/check.js';
import { evidenceOf, isRead, notAnswered } from '../facts/retrievals.js';
import { isPermanent } from './redirects.js';

export const canonicalHost = defineCheck({
  id: 'canonical_host',
  title: 'The website has one host name, with or without www',
  category: 'addresses',
  weight: 6,
  needs: ['home', 'otherHost'],
  judge({ home, otherHost }) {
    const code = otherHost.error?.code;
    if (code === 'dns' || code === 'blocked_address' || code === 'refused')
      return notApplicable(
        'The other name does not answer, so there is only one address.',
        evidenceOf(otherHost),
      );
    if (code === 'tls')
      return warn(
        'The other name answers with a certificate that is not valid for it. Browsers warn people who follow an old link to it.',
        evidenceOf(otherHost),
      );
    if (
      otherHost.finalUrl === null ||
      otherHost.outcome === 'blocked' ||
      otherHost.outcome === 'server_error'
    )
      return notAnswered('The other name', otherHost);
    if (home.finalUrl === null) return unknown('The home page did not answer.', evidenceOf(home));
    if (new URL(otherHost.finalUrl).host === new URL(home.finalUrl).host)
      return [...otherHost.redirects, ...home.redirects].every(isPermanent)
        ? pass('Both names lead to one host, permanently.', evidenceOf(otherHost))
        : warn(
            'Both names lead to one host, but by a temporary redirect. Search engines may keep either name.',
            {
              ...evidenceOf(otherHost),
              advisories: ['Redirect with 301 or 308.'],
            },
          );
    if (!isRead(otherHost))
      return notApplicable('The other name has no home page of its own.', evidenceOf(otherHost));
    return fail(
      'The home page answers by both names. So each page has two addresses, which split its links and crawls.',
      {
        ...evidenceOf(otherHost),
        home_url: home.finalUrl,
      },
    );
  },
});
