import { isUrl } from '../../../../shared/urls/is-url.js';
import { normalUrl } from '../../../../shared/urls/normal-spelling.js';
import { defineCheck, notApplicable, pass, warn } from '../facts/check.js';
import { evidenceOf, isRead, notAnswered } from '../facts/retrievals.js';

export const trailingSlash = defineCheck({
  id: 'trailing_slash',
  title: 'A page has one address, with or without the slash',
  category: 'addresses',
  weight: 4,
  needs: ['slash'],
  judge({ slash: { page, twin } }) {
    const seen = { ...evidenceOf(twin), page_url: page.retrieval.finalUrl };
    if (twin.finalUrl === null) return notAnswered('The address with the slash changed', twin);
    if (!isRead(twin) && twin.outcome !== 'missing')
      return notAnswered('The address with the slash changed', twin);
    if (!isRead(twin)) return pass('The other form of the address is no page.', seen);
    if (twin.redirects.length > 0) return pass('The other form of the address redirects.', seen);
    const canonical = twin.html?.canonicals[0];
    if (
      canonical !== undefined &&
      isUrl(canonical, twin.finalUrl) &&
      normalUrl(new URL(canonical, twin.finalUrl)) === normalUrl(new URL(page.retrieval.finalUrl))
    )
      return pass('Both forms of the address answer and name the same canonical address.', seen);
    if (twin.html === null) return notApplicable('The other form of the address is no page.', seen);
    return warn(
      'The page answers with and without the slash at its end, and names neither address as canonical.',
      {
        ...seen,
        advisories: ['Redirect one form to the other, or name one as canonical on both.'],
      },
    );
  },
});
