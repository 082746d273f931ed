import { z } from '@hono/zod-openapi';
import { MOST_PAGES } from '../../../../shared/reads/bots/daily-build.js';
import { pageImportance } from '../../../../shared/reads/seo/page-importance.js';
import { websiteRead } from '../../operation/operation.js';
import { booleanParameter, integerParameter } from '../../operation/parameters.js';
import { reuseUntilMidnight } from './reuse-until-midnight.js';

export const getPageImportance = websiteRead({
  id: 'getPageImportance',
  tag: 'URLs',
  path: '/page-importance',
  summary: 'Importance of pages to search engines',
  description: `Fetches of each page by each family of search crawlers in the last 90 days, as a score of 0 to 10 on a log scale. Scores are computed once a day, and again within hours if requests of earlier days arrive late. Only pages have scores: files of type html, htm, xhtml, php, asp, aspx or jsp (a path without an extension is html) that were answered 2xx or 304; no assets, redirects or errors. Verified requests count. For a family without any, unproved claims count; \`crawl_basis\` names the basis. \`available\` is false before the first computation and while no page was served to search crawlers. Takes no window. If long paths make the answer larger than 32 MiB, it is refused with 400: request fewer pages.`,
  query: z.object({
    bot: z.string().min(1).max(200).optional().openapi({
      description:
        'A family of search crawlers, ignoring case. Default: the family with most fetches among those with verified requests, or among all if none has any. A family without scores is refused; `bots` lists the families.',
    }),
    limit: integerParameter({ min: 1, max: 50_000, default: 200, description: 'Maximum number of pages.' }),
    full: booleanParameter(`1: all pages with a score, at most ${MOST_PAGES}; ignores limit.`),
  }),
  answer: pageImportance.schema,
  reuse: reuseUntilMidnight,
  run: ({ bot, limit, full = false }, { website, now, services }) =>
    pageImportance.read(
      services.reader,
      { websiteId: website.id, now },
      { bot, limit: full ? MOST_PAGES : limit },
    ),
});
