import { defineCheck, fail, pass, unknown, warn } from '../check.js';

const WARN_MS = 1_500;
const FAIL_MS = 4_000;

export const slowTemplates = defineCheck({
  id: 'slow_templates',
  title: 'No kind of page is slow',
  category: 'speed',
  weight: 5,
  needs: ['logs'],
  judge({ logs: { crawl } }) {
    const [slowest] = crawl.templates;
    if (slowest === undefined)
      return unknown(
        'The logs of seven days tell of too few requests of search crawlers how long they took.',
        { outcome: 'unconfirmed' },
      );
    const slow = crawl.templates.filter(({ meanMs }) => meanMs >= WARN_MS);
    const seen = {
      templates: (slow.length > 0 ? slow : [slowest])
        .slice(0, 5)
        .map(({ pattern, requests, meanMs, example }) => {
          return {
            pattern: pattern.slice(0, 300),
            requests,
            mean_ms: Math.round(meanMs),
            example: example.slice(0, 300),
          };
        }),
    };
    if (slow.length === 0)
      return pass('Every kind of page that search crawlers fetch often answers fast.', seen);
    const note = `${slow.length === 1 ? 'One kind of page takes' : `${slow.length} kinds of pages take`} more than ${WARN_MS} ms on the mean. What is slow for crawlers is slow for people.`;
    return (slowest.meanMs >= FAIL_MS ? fail : warn)(note, seen);
  },
});
