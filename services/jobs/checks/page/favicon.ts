import { defineCheck, pass, warn } from '../facts/check.js';
import { evidenceOf, isRead, notAnswered } from '../facts/retrievals.js';

export const faviconCheck = defineCheck({
  id: 'favicon',
  title: 'The website has an icon for results and tabs',
  category: 'page',
  weight: 2,
  needs: ['favicon'],
  judge({ favicon }) {
    if (favicon.outcome === 'missing')
      return warn(
        'There is no icon. Search engines show a grey globe beside the result.',
        evidenceOf(favicon),
      );
    if (!isRead(favicon)) return notAnswered('The icon', favicon);
    if (favicon.html !== null)
      return warn('The address of the icon returns an HTML page.', {
        ...evidenceOf(favicon),
        outcome: 'invalid',
      });
    return pass('There is an icon.', evidenceOf(favicon));
  },
});
