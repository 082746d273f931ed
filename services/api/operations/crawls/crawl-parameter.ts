import { z } from '@hono/zod-openapi';
import { type ReadCrawl, readCrawl } from '../../../../shared/reads/crawls/read-crawl.js';
import type { WebsiteContext } from '../../operation/operation.js';

export const crawlIdParameter = z.string().max(40).optional().openapi({
  description:
    'A crawl of the website. Default: the latest that is ready. 404: the website has no such crawl; 409: it is not ready.',
  example: '20261120T031500_k3x9w2ab',
});

/** @returns the crawl of the call; null: none is ready. @throws PublicError as readCrawl */
export function crawlOf(
  { services, website }: WebsiteContext,
  crawlId: string | undefined,
): ReadCrawl | null {
  return readCrawl(services.control.state(), website.id, crawlId);
}
