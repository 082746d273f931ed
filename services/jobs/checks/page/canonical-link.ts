import { isUrl } from '../../../../shared/urls/is-url.js';
import { defineCheck, fail, pass, warn } from '../facts/check.js';
import type { Page } from '../facts/facts.js';

/** The fault in a page's canonical; null: none. */
function problemOf({
  html,
  retrieval,
}: Page): { readonly severity: 'fail' | 'warn'; readonly problem: string } | null {
  const named = [...new Set(html.canonicals)];
  const [first] = named;
  if (first === undefined) return { severity: 'warn', problem: 'names none' };
  if (named.length > 1) return { severity: 'fail', problem: 'names several, so none counts' };
  if (!isUrl(first, retrieval.finalUrl)) return { severity: 'fail', problem: 'names an invalid address' };
  const url = new URL(first, retrieval.finalUrl);
  const own = new URL(retrieval.finalUrl);
  if (url.host !== own.host)
    return { severity: 'fail', problem: `names another host: ${url.host.slice(0, 253)}` };
  if (url.protocol !== own.protocol)
    return { severity: 'warn', problem: `names an address with ${url.protocol}` };
  if (own.pathname !== '/' && url.pathname === '/')
    return { severity: 'fail', problem: 'names the home page instead of itself' };
  return null;
}

export const canonicalLink = defineCheck({
  id: 'canonical_link',
  title: 'Pages name their canonical address',
  category: 'page',
  weight: 5,
  needs: ['pages'],
  judge({ pages }) {
    const found = pages.flatMap((page) => {
      const problem = problemOf(page);
      return problem === null ? [] : [{ url: page.retrieval.finalUrl.slice(0, 500), ...problem }];
    });
    const seen = {
      outcome: 'ok',
      pages: pages.length,
      examples: found.map(({ url, problem }) => ({ url, problem })),
    } as const;
    if (found.some(({ severity }) => severity === 'fail'))
      return fail(
        'A page names a wrong canonical address. Search engines then list another page instead, or none.',
        seen,
      );
    if (found.length > 0)
      return warn(
        'A page does not name its canonical address correctly. Addresses with parameters compete with it in the results.',
        {
          ...seen,
          advisories: ['Name the full address with https in <link rel="canonical">.'],
        },
      );
    return pass(`All ${pages.length} requested pages name their canonical address.`, seen);
  },
});
