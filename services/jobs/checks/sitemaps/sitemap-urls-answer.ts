import { defineCheck, fail, pass, unknown, warn } from '../facts/check.js';
import type { Retrieval } from '../facts/facts.js';
import { evidenceOf, isRead } from '../facts/retrievals.js';

const isBroken = ({ outcome }: Retrieval) =>
  outcome === 'missing' || outcome === 'server_error' || outcome === 'http_error';

export const sitemapUrlsAnswer = defineCheck({
  id: 'sitemap_urls_answer',
  title: 'Pages of the sitemaps answer',
  category: 'sitemaps',
  weight: 7,
  needs: ['listed'],
  judge({ listed }) {
    const answered = listed.filter((one) => isRead(one) || isBroken(one));
    const urls = listed.map(evidenceOf);
    if (answered.length === 0)
      return unknown('None of the requested listed pages gave an answer that can be judged.', {
        outcome: listed[0]?.outcome ?? 'not_checked',
        urls,
      });
    const broken = answered.filter(isBroken);
    const moved = answered.filter(({ redirects }) => redirects.length > 0);
    const of = `of ${answered.length} requested listed pages`;
    if (broken.length > 0)
      return fail(
        `${broken.length} ${of} answer with an error. Search engines trust a sitemap less if it lists missing pages.`,
        {
          outcome: broken[0]!.outcome,
          urls,
        },
      );
    if (moved.length > 0)
      return warn(`${moved.length} ${of} redirect. List the addresses to which they lead.`, {
        outcome: 'ok',
        urls,
      });
    return pass(`All ${answered.length} requested listed pages answer. Other pages are requested each day.`, {
      outcome: answered.length === listed.length ? 'ok' : 'partial',
      urls,
    });
  },
});
