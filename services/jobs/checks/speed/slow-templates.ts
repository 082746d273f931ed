import { defineCheck, fail, pass, unknown, warn } from '../facts/check.js';
import { unlessProved } from '../facts/unproved-crawl.js';

/** For the page at three quarters of a template's timed requests. One slow page does not change it, but a slow quarter does. */
const WARN_MS = 1_500;
const FAIL_MS = 4_000;

export const slowTemplates = defineCheck({
  id: 'slow_templates',
  title: 'No kind of page is slow',
  category: 'speed',
  weight: 5,
  needs: ['logs'],
  judge({ logs: { crawl } }) {
    const open = unlessProved(crawl);
    if (open !== null) return open;
    const [slowest] = crawl.templates;
    if (slowest === undefined)
      return unknown('The logs of seven days contain the duration of too few requests of search crawlers.', {
        outcome: 'unconfirmed',
      });
    const slow = crawl.templates.filter(({ p75Ms }) => p75Ms >= WARN_MS);
    const seen = {
      templates: (slow.length > 0 ? slow : [slowest])
        .slice(0, 5)
        .map(({ pattern, requests, meanMs, p75Ms, example }) => {
          return {
            pattern: pattern.slice(0, 300),
            requests,
            p75_ms: Math.round(p75Ms),
            mean_ms: Math.round(meanMs),
            example: example.slice(0, 300),
          };
        }),
    };
    if (slow.length === 0)
      return pass('Every kind of page that search crawlers fetch often answers fast.', seen);
    const note = `At least a quarter of the requests for ${slow.length === 1 ? 'one kind of page' : `${slow.length} kinds of pages`} were for pages with a mean time of ${WARN_MS} ms or longer. Pages that are slow for crawlers are slow for people too.`;
    return (slowest.p75Ms >= FAIL_MS ? fail : warn)(note, seen);
  },
});
