import { defineCheck, fail, pass, unknown, warn } from '../facts/check.js';
import { evidenceOf, notAnswered } from '../facts/retrievals.js';

const WARN_HOPS = 2;
const FAIL_HOPS = 4;

export const redirectHops = defineCheck({
  id: 'redirect_hops',
  title: 'Redirects lead straight to the page',
  category: 'addresses',
  weight: 5,
  needs: ['home', 'plain', 'otherHost'],
  judge({ home, plain, otherHost }) {
    const entrances = [home, plain, otherHost];
    const endless = entrances.find(({ error }) => error?.code === 'too_many_redirects');
    if (endless !== undefined)
      return fail(
        'An address of the website redirects without end. It never leads to the page.',
        evidenceOf(endless),
      );
    const answered = entrances.filter(({ finalUrl }) => finalUrl !== null);
    const longest = answered.toSorted((a, b) => b.redirects.length - a.redirects.length)[0];
    if (longest === undefined)
      return unknown('None of the addresses of the home page answered.', evidenceOf(home));
    const hops = longest.redirects.length;
    const seen = { ...evidenceOf(longest), hops };
    if (hops >= FAIL_HOPS)
      return fail(
        `It takes ${hops} redirects to the home page. Crawlers give up after a few, and people wait for each.`,
        seen,
      );
    if (hops >= WARN_HOPS)
      return warn(
        `It takes ${hops} redirects to the home page. Each costs a connection; one is enough.`,
        seen,
      );
    const unseen = entrances.find(({ outcome }) => outcome === 'blocked' || outcome === 'server_error');
    if (unseen !== undefined) return notAnswered('An address of the home page', unseen);
    return pass(
      hops === 0 ? 'No address of the home page redirects.' : 'One redirect leads to the home page.',
      seen,
    );
  },
});
