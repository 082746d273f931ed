import { z } from '@hono/zod-openapi';
import { websiteRead } from '../../operation/operation.js';
import { integerParameter } from '../../operation/parameters.js';
import { indexCoverageUrls } from '../index-coverage/index-coverage.js';
import { connectionFor } from '../search/connection.js';
import { directoryParameter } from './directory-parameter.js';
import { COVERAGE, recencyParameter } from './get-index-coverage.js';

export const getIndexCoverageUrls = websiteRead({
  id: 'getIndexCoverageUrls',
  tag: 'SEO',
  path: '/seo/index-coverage/urls',
  summary: 'The pages of index coverage',
  description: `Each page with its crawler fetches and its index state at the engine. ${COVERAGE} Without a search-performance source the call is answered 400.`,
  plans: 'starter',
  unavailable: 'Stored records can not be read now.',
  query: z.object({
    bucket: z.string().max(100).optional().openapi({
      description: 'One of the five buckets; default all. An unknown name returns no pages.',
      example: 'crawled_not_indexed',
    }),
    directory: directoryParameter,
    page: integerParameter({ min: 1, max: 1_000_000, default: 1, description: 'Page of the list.' }),
    page_size: integerParameter({
      min: 0,
      max: 500,
      default: 50,
      description: 'Website pages per page of the list; 0: all at once.',
    }),
    hours: recencyParameter,
  }),
  answer: indexCoverageUrls.schema,
  run: ({ bucket = null, directory, page, page_size, hours }, context) =>
    indexCoverageUrls.read(
      context.services.reader,
      { websiteId: context.website.id, now: context.now },
      { connection: connectionFor(context), bucket, directory, page, page_size, hours },
    ),
});
