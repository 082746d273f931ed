import { z } from '@hono/zod-openapi';
import { MOST_CRAWLS } from '../../../../shared/control/crawls/crawl.js';
import { crawlSettingsOf } from '../../../../shared/control/crawls/crawl-settings.js';
import { crawlsOf, latestReadyCrawl } from '../../../../shared/control/crawls/latest-crawl.js';
import type { Crawl } from '../../../../shared/control/domain/model.js';
import { isOpenCrawl } from '../../../../shared/control/domain/state.js';
import { readCrawlProgress } from '../../../../shared/reads/crawls/crawl-progress.js';
import { websiteRead } from '../../operation/operation.js';
import { crawl, TAG, toCrawl } from './crawl.js';

export const listCrawls = websiteRead({
  id: 'listCrawls',
  tag: TAG,
  path: '/crawls',
  summary: 'Crawls of the website',
  description:
    'The 20 newest crawls, newest first, and the crawl settings of the website. `latest` is the newest ready crawl, which other reads use by default. Takes no window.',
  query: z.object({}),
  answer: z.object({
    crawls: z.array(crawl),
    latest: z.union([crawl, z.null()]).openapi({ description: 'The newest ready crawl; null: none.' }),
    auto_crawl: z
      .boolean()
      .openapi({ description: 'Whether the website is crawled automatically once a week.' }),
    auto_crawl_max_pages: z.int().openapi({ description: 'Default for max_pages of a crawl.' }),
    crawl_render_js: z.boolean(),
    crawl_query_keys: z.array(z.string()).openapi({
      description: 'Query parameters that identify a page; the crawler removes all others from URLs.',
    }),
    crawler_egress_ip: z.string().nullable().openapi({
      description: 'Address of the crawler, for an allow list; null: it has no fixed address.',
    }),
  }),
  async run(_input, { website, services }) {
    const state = services.control.state();
    const withProgress = async (each: Crawl) =>
      toCrawl(each, isUnderWay(each) ? await readCrawlProgress(services.reader, crawlOf(each)) : null);
    const latest = latestReadyCrawl(state, website.id);
    const settings = crawlSettingsOf(state, website.id);
    return {
      crawls: await Promise.all(crawlsOf(state, website.id).slice(0, MOST_CRAWLS).map(withProgress)),
      latest: latest && toCrawl(latest, null),
      auto_crawl: settings.autoCrawl,
      auto_crawl_max_pages: settings.autoCrawlMaxPages,
      crawl_render_js: settings.renderJs,
      crawl_query_keys: [...settings.queryKeys],
      crawler_egress_ip: services.crawlerEgressIp,
    };
  },
});

/** A website has at most one such crawl, so this costs one read. */
const isUnderWay = (each: Crawl) => isOpenCrawl(each) && each.startedAt !== null;
const crawlOf = ({ websiteId, id: crawlId }: Crawl) => ({ websiteId, crawlId });
