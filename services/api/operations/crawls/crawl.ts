import { z } from '@hono/zod-openapi';
import {
  type Crawl,
  type CrawlDelta,
  crawlSources,
  crawlStatuses,
  crawlTriggers,
} from '../../../../shared/control/domain/model.js';
import { instant } from '../../../../shared/reads/answer/instant.js';
import type { CrawlProgress } from '../../../../shared/reads/crawls/crawl-progress.js';

export const TAG = 'Crawls';
export const NO_SUCH_CRAWL = 'Crawl not found: the website has no crawl with this id, or twenty newer ones.';

export const crawlPath = z.object({
  crawl_id: z
    .string()
    .max(100)
    .openapi({ description: 'Id of a crawl of the website.', example: '20261121T120000_4f1c09ab' }),
});

const whole = (description: string) => z.int().nullable().openapi({ description });

const findings = (severity: string) =>
  z.int().openapi({ description: `Findings of ${severity} severity, page by page.` });

const progress = z.object({
  pages_known: z.int().openapi({ description: 'Pages that the crawl has found so far.' }),
  pages_fetched: z.int().openapi({ description: 'Pages that the crawl has fetched so far.' }),
});

const delta = z.object({
  previous_crawl_id: z.string(),
  new: z.int().openapi({ description: 'URLs that only this crawl fetched.' }),
  gone: z.int().openapi({ description: 'URLs that only the previous crawl fetched.' }),
  status_changed: z.int().openapi({ description: 'URLs in both crawls whose status changed.' }),
  title_changed: z.int().openapi({ description: 'URLs in both crawls whose title changed.' }),
  canonical_changed: z.int().openapi({ description: 'URLs in both crawls whose canonical URL changed.' }),
  indexable_changed: z.int().openapi({
    description: 'URLs in both crawls that search engines may index according to only one of the crawls.',
  }),
});

/** A crawl (spec §2.6). */
export const crawl = z
  .object({
    crawl_id: z.string().openapi({ example: '20261121T120000_4f1c09ab' }),
    source: z.enum(crawlSources).openapi({
      description:
        'service_crawler: this service fetched the pages; upload: files of another crawler were uploaded.',
    }),
    status: z.enum(crawlStatuses).openapi({
      description:
        'pending_upload: its files are being stored. queued: it waits for a free slot or its next attempt. processing: it is running. ready: its pages are stored and audited. blocked: the website refuses the crawler. failed: the website did not answer, or the crawl failed. cancelled: a caller ended it.',
    }),
    filename: z.string().nullable().openapi({ description: 'File name of an upload.' }),
    url_count: whole('Fetched pages; null until ready, like all figures.'),
    indexable_count: whole('Fetched pages that search engines may index.'),
    status_200: whole('Fetched pages that answered 200.'),
    unlinked_count: whole('Fetched pages that no path of links from the home page reaches.'),
    max_depth: whole('Links from the home page to the deepest page.'),
    audit_summary: z
      .object({ high: findings('high'), medium: findings('medium'), low: findings('low') })
      .nullable()
      .openapi({ description: 'Findings by severity.' }),
    created_at: instant,
    started_at: instant.nullable().openapi({ description: 'First start.' }),
    completed_at: instant.nullable().openapi({ description: 'End, regardless of the outcome.' }),
    error: z.string().nullable().openapi({ description: 'Reason for blocked or failed.' }),
    trigger: z.enum(crawlTriggers).openapi({
      description:
        'Origin of the request: a key (manual), the website’s setting (auto) or the operator (admin).',
    }),
    max_pages: z.int().openapi({ description: 'Maximum number of pages to fetch.' }),
    seeds: z.array(z.string()).openapi({
      description: 'Start URLs besides the home page and the sitemaps.',
    }),
    render_js: z.boolean(),
    progress: progress.nullable().openapi({ description: 'Progress of a started crawl that has not ended.' }),
    delta: delta.nullable().openapi({
      description: 'Changes since the previous ready crawl; null if there is none.',
    }),
  })
  .openapi('Crawl');

/** @param progress null: the crawl is not running. */
export function toCrawl(stored: Crawl, progress: CrawlProgress | null): z.input<typeof crawl> {
  const { counts } = stored;
  return {
    ...{ crawl_id: stored.id, source: stored.source, status: stored.status, filename: stored.filename },
    url_count: counts?.urlCount ?? null,
    indexable_count: counts?.indexableCount ?? null,
    status_200: counts?.status200 ?? null,
    unlinked_count: counts?.unlinkedCount ?? null,
    max_depth: counts?.maxDepth ?? null,
    audit_summary: counts?.auditSummary ?? null,
    ...{ created_at: stored.createdAt, started_at: stored.startedAt, completed_at: stored.completedAt },
    ...{ error: stored.error, trigger: stored.trigger, max_pages: stored.maxPages, seeds: [...stored.seeds] },
    render_js: stored.renderJs,
    progress: progress && { pages_known: progress.known, pages_fetched: progress.fetched },
    delta: stored.delta && toDelta(stored.delta),
  };
}

function toDelta(stored: CrawlDelta): z.input<typeof delta> {
  return {
    ...{ previous_crawl_id: stored.previousCrawlId, new: stored.new, gone: stored.gone },
    ...{ status_changed: stored.statusChanged, title_changed: stored.titleChanged },
    ...{ canonical_changed: stored.canonicalChanged, indexable_changed: stored.indexableChanged },
  };
}
