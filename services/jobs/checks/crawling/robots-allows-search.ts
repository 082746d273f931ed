import { defineCheck, fail, pass, unknown } from '../facts/check.js';
import { bingbot, googlebot, rulingOf, tooManyRules } from './robots-rules.js';

export const robotsAllowsSearch = defineCheck({
  id: 'robots_allows_search',
  title: 'robots.txt allows search engines',
  category: 'crawling',
  weight: 10,
  needs: ['robots'],
  judge({ robots: { content } }) {
    if (content === null) return unknown('The content of robots.txt is unknown.', { outcome: 'unconfirmed' });
    const ruling = rulingOf(content);
    const rulings = [
      ['Googlebot', ruling(googlebot, '/')] as const,
      ['bingbot', ruling(bingbot, '/')] as const,
    ];
    const barred = rulings.flatMap(([name, verdict]) =>
      verdict.kind === 'disallowed' ? [[name, verdict.rule] as const] : [],
    );
    if (barred.length === 0 && rulings.some(([, { kind }]) => kind === 'given_up')) return tooManyRules();
    if (barred.length === 0) return pass('Googlebot and bingbot may fetch the home page.', { outcome: 'ok' });
    return fail(
      `robots.txt keeps ${barred.map(([name]) => name).join(' and ')} from the home page. Pages that may not be fetched drop out of the results.`,
      { outcome: 'ok', rules: Object.fromEntries(barred) },
    );
  },
});
