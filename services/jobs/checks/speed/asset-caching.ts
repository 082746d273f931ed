import { defineCheck, notApplicable, pass } from '../facts/check.js';
import { advise, evidenceOf, isRead, notAnswered } from '../facts/retrievals.js';

const DAY_SECONDS = 86_400;

export const assetCaching = defineCheck({
  id: 'asset_caching',
  title: 'Browsers may cache scripts and styles',
  category: 'speed',
  weight: 2,
  needs: ['asset'],
  judge({ asset }) {
    if ('none' in asset)
      return notApplicable('The home page loads no script and no style sheet from its own host.');
    if (!isRead(asset)) return notAnswered('A script or style sheet of the home page', asset);
    const control = (asset.headers.get('cache-control') ?? '').toLowerCase().slice(0, 300);
    const seconds = Number(/max-age=(\d{1,10})/.exec(control)?.[1] ?? Number.NaN);
    const seen = { cache_control: control === '' ? null : control };
    if (seconds >= DAY_SECONDS && !control.includes('no-store'))
      return pass('Browsers may cache the scripts and styles of the home page for a day or longer.', {
        ...evidenceOf(asset),
        ...seen,
      });
    return advise(
      'Browsers may not cache a script or style sheet of the home page for a day. Returning people, and crawlers that render pages, load it again.',
      asset,
      ['Name such files by their content and send Cache-Control: max-age=31536000, immutable.'],
      seen,
    );
  },
});
