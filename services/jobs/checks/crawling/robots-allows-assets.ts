import { isUrl } from '../../../../shared/urls/is-url.js';
import { defineCheck, notApplicable, pass, unknown, warn } from '../facts/check.js';
import { googlebot, rulingOf, tooManyRules } from './robots-rules.js';

/** For a path and its query, percent-encoded, which may be nine times as long as in the page. */
const LONGEST = 2_048;

export const robotsAllowsAssets = defineCheck({
  id: 'robots_allows_assets',
  title: 'robots.txt allows search engines to load scripts and styles',
  category: 'crawling',
  weight: 6,
  needs: ['robots', 'page'],
  judge({ robots: { content }, page: { html, retrieval } }) {
    if (content === null) return unknown('The content of robots.txt is unknown.', { outcome: 'unconfirmed' });
    const base = new URL(retrieval.finalUrl);
    const own = html.assets
      .filter((url) => isUrl(url, base))
      .map((url) => new URL(url, base))
      .filter(({ host, pathname, search }) => host === base.host && (pathname + search).length <= LONGEST);
    if (own.length === 0)
      return notApplicable('The home page loads no script and no style sheet from its own host.');
    const ruling = rulingOf(content);
    const rulings = own.map((url) => ({ url, verdict: ruling(googlebot, url.pathname + url.search).kind }));
    const barred = rulings.filter(({ verdict }) => verdict === 'disallowed').map(({ url }) => url);
    const givenUp = rulings.filter(({ verdict }) => verdict === 'given_up').length;
    const seen = {
      outcome: givenUp > 0 ? 'partial' : 'ok',
      assets: own.length,
      assets_not_judged: givenUp,
    } as const;
    if (barred.length === 0 && givenUp > 0) return tooManyRules(seen);
    if (barred.length === 0)
      return pass('Googlebot may load the scripts and style sheets of the home page.', seen);
    return warn(
      `robots.txt keeps Googlebot from ${barred.length} of ${own.length} scripts and style sheets of the home page. It may miss content that depends on them.`,
      { ...seen, examples: barred.slice(0, 5).map(({ href }) => href.slice(0, 500)) },
    );
  },
});
