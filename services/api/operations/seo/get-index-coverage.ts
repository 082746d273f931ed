import { z } from '@hono/zod-openapi';
import { websiteRead } from '../../operation/operation.js';
import { integerParameter, MAX_HOURS } from '../../operation/parameters.js';
import { indexCoverage } from '../index-coverage/index-coverage.js';
import { connectionFor } from '../search/connection.js';

export const COVERAGE =
  'The list contains pages that are in sitemaps, that search crawlers fetched with any status, or that the engine inspected. Fetched pages are files of type html, htm, xhtml, php, asp, aspx or jsp, and paths without an extension. A page fetched in the last `hours` counts as crawled. At most 2,000 pages a day are inspected: first those with most impressions, then those of the sitemaps, then those with the oldest inspection.';

/** Maximum age of a fetch that counts as crawled. */
export const recencyParameter = integerParameter({
  min: 1,
  max: MAX_HOURS,
  default: 720,
  description: 'A page fetched in these last hours counts as crawled.',
});

export const getIndexCoverage = websiteRead({
  id: 'getIndexCoverage',
  tag: 'SEO',
  path: '/seo/index-coverage',
  summary: 'Pages by crawling and indexing',
  description: `Pages in five buckets, in total and by top-level folder. ${COVERAGE} Without a search-performance source \`sc_connected\` is false.`,
  plans: 'starter',
  unavailable: 'Stored records can not be read now.',
  query: z.object({
    hours: recencyParameter,
    dir_page: integerParameter({
      min: 1,
      max: 1_000_000,
      default: 1,
      description: 'Page of the directories.',
    }),
    dir_page_size: integerParameter({
      min: 1,
      max: 500,
      default: 20,
      description: 'Directories per page.',
    }),
  }),
  answer: indexCoverage.schema,
  run: ({ hours, dir_page, dir_page_size }, context) =>
    indexCoverage.read(
      context.services.reader,
      { websiteId: context.website.id, now: context.now },
      { connection: connectionFor(context), hours, page: dir_page, page_size: dir_page_size },
    ),
});
