import { z } from '@hono/zod-openapi';
import { FEWEST_CRAWL_PAGES, MOST_CRAWL_PAGES } from '../../../../shared/control/crawls/crawl-bounds.js';
import { PublicError } from '../../../../shared/errors.js';
import { websiteWrite } from '../../operation/operation.js';
import { crawl, TAG, toCrawl } from './crawl.js';

export const runCrawl = websiteWrite('post', {
  id: 'runCrawl',
  tag: TAG,
  path: '/crawls/run',
  summary: 'Crawl the website',
  description:
    'Queues a crawl. The service starts at the home page and the sitemaps, follows links, and respects robots.txt and the installation’s crawl rate. A website has one crawl at a time. GET /crawls shows the progress.',
  creates: true,
  conflict: 'A crawl of the website is queued or running.',
  conflictCodes: ['crawl_open', 'crawl_id_taken'],
  unavailable: 'This installation does not fetch websites.',
  bodyOptional: true,
  body: z.object({
    max_pages: z.int().min(FEWEST_CRAWL_PAGES).max(MOST_CRAWL_PAGES).optional().openapi({
      description: 'Maximum number of pages to fetch; default: auto_crawl_max_pages of the website.',
      example: 5_000,
    }),
  }),
  answer: z.object({ crawl }),
  async run({ max_pages }, { website, services, write }) {
    if (!services.fetchesWebsites)
      throw new PublicError(
        'unavailable',
        'This installation does not fetch websites: its operator has set FETCH_WEBSITES to false.',
      );
    const requested = await services.control.execute(
      {
        ...{ type: 'requestCrawl', websiteId: website.id, trigger: 'manual' },
        ...(max_pages === undefined ? {} : { maxPages: max_pages }),
      },
      write,
      'Requested a crawl of the website',
    );
    return { crawl: toCrawl(requested, null) };
  },
});
