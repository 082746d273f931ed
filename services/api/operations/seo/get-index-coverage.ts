import { z } from '@hono/zod-openapi';
import { websiteRead } from '../../operation/operation.js';
import { integerParameter, MAX_HOURS } from '../../operation/parameters.js';
import { indexCoverage } from '../index-coverage/index-coverage.js';
import { connectionFor } from '../search/connection.js';

export const COVERAGE =
  'Pages are those that the sitemaps list, that crawlers of search engines fetched (whatever they were answered; files of type html, htm, xhtml, php, asp, aspx or jsp, and paths without an extension), and that the engine was asked about. `hours` says how lately a page must have been fetched to count as crawled. The engine is asked about 2,000 pages a day at most: first those with most impressions, then those of the sitemaps, then those whose answer is oldest.';

/** How lately a page must have been fetched. */
export const recencyParameter = integerParameter({
  min: 1,
  max: MAX_HOURS,
  default: 720,
  description: 'A page is crawled where it was fetched in these last hours.',
});

export const getIndexCoverage = websiteRead({
  id: 'getIndexCoverage',
  tag: 'SEO',
  path: '/seo/index-coverage',
  summary: 'Which pages are crawled and listed',
  description: `Pages in five buckets, in all and by the folder at the top. ${COVERAGE} Without a search-performance source \`sc_connected\` is false.`,
  plans: 'starter',
  unavailable: 'Stored records can not be read at the moment.',
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
      description: 'Directories on a page.',
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
