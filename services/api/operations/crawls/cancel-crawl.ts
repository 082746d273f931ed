import { z } from '@hono/zod-openapi';
import { websiteWrite } from '../../operation/operation.js';
import { crawl, crawlPath, NO_SUCH_CRAWL, TAG, toCrawl } from './crawl.js';

export const cancelCrawl = websiteWrite('post', {
  id: 'cancelCrawl',
  tag: TAG,
  path: '/crawls/{crawl_id}/cancel',
  summary: 'Cancel a crawl',
  description:
    'Ends a crawl that is queued or running. Its crawler stops within seconds, and the fetched pages are discarded.',
  missing: NO_SUCH_CRAWL,
  conflict: 'The crawl has already ended.',
  conflictCodes: ['crawl_ended'],
  pathParameters: crawlPath,
  body: z.object({}),
  bodyOptional: true,
  answer: z.object({ crawl }),
  async run({ crawl_id }, { website, services, write }) {
    const cancelled = await services.control.execute(
      { type: 'cancelCrawl', websiteId: website.id, crawlId: crawl_id },
      write,
      `Crawl ${crawl_id} cancelled`,
    );
    return { crawl: toCrawl(cancelled, null) };
  },
});
