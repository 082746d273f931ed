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
  summary: 'Which pages search engines care for',
  description: `How often each family of search crawlers fetched each page on the last 90 days, as a score of 0 to 10 on a log scale. Computed once a day, and again within hours where requests of earlier days are stored later. Pages alone are scored: files of type html, htm, xhtml, php, asp, aspx or jsp (a path without an extension is html) that were answered 2xx or 304; no assets, no redirects, no errors. A family counts by its verified requests; one without any counts by its unproved claims, and \`crawl_basis\` says which. Before the first time, and while search crawlers were served no page, \`available\` is false. Takes no window. Pages with paths so long that the answer would have more than 32 MiB are refused with 400: ask for fewer.`,
  query: z.object({
    bot: z.string().min(1).max(200).optional().openapi({
      description:
        'A family of search crawlers, ignoring case; default: the one with most fetches among those with verified requests, or among all where none has one. One that the website has no score of is refused; `bots` lists them.',
    }),
    limit: integerParameter({ min: 1, max: 50_000, default: 200, description: 'Most pages in the answer.' }),
    full: booleanParameter(`1: every page that has a score, at most ${MOST_PAGES}, whatever the limit.`),
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
