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
export const NO_SUCH_CRAWL = 'Crawl not found: the website has none of this id, or has had twenty since.';

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
        'service_crawler: this service fetched the pages; upload: they come from files of another crawler.',
    }),
    status: z.enum(crawlStatuses).openapi({
      description:
        'pending_upload: its files are still being stored; queued: it waits, for a place or for its next attempt; processing: it is under way; ready: its pages are stored and judged; blocked: the website turns the crawler away; failed: nobody answered, or it came to nothing; cancelled: somebody ended it.',
    }),
    filename: z.string().nullable().openapi({ description: 'Of an upload.' }),
    url_count: whole('Pages that were fetched; null until it is ready, as all figures.'),
    indexable_count: whole('Of these, those that search engines may list.'),
    status_200: whole('Of these, those that answered 200.'),
    unlinked_count: whole('Of these, those that no link leads to from the home page.'),
    max_depth: whole('Links from the home page to the deepest page.'),
    audit_summary: z
      .object({ high: findings('high'), medium: findings('medium'), low: findings('low') })
      .nullable()
      .openapi({ description: 'Findings by severity.' }),
    created_at: instant,
    started_at: instant.nullable().openapi({ description: 'When it was begun first.' }),
    completed_at: instant.nullable().openapi({ description: 'When it was over, however it ended.' }),
    error: z.string().nullable().openapi({ description: 'Why it is blocked or has failed.' }),
    trigger: z.enum(crawlTriggers).openapi({
      description: 'Who wanted it: a key (manual), the website’s setting (auto), or the operator (admin).',
    }),
    max_pages: z.int().openapi({ description: 'Pages that it fetches at most.' }),
    seeds: z.array(z.string()).openapi({
      description: 'URLs that it begins with, beside the home page and the sitemaps.',
    }),
    render_js: z.boolean(),
    progress: progress.nullable().openapi({ description: 'Of one that was begun and is not over.' }),
    delta: delta.nullable().openapi({
      description: 'What has changed since the ready crawl before it; null where there is none.',
    }),
  })
  .openapi('Crawl');

/** @param progress null: it is not under way. */
export function toCrawl(held: Crawl, progress: CrawlProgress | null): z.input<typeof crawl> {
  const { counts } = held;
  return {
    ...{ crawl_id: held.id, source: held.source, status: held.status, filename: held.filename },
    url_count: counts?.urlCount ?? null,
    indexable_count: counts?.indexableCount ?? null,
    status_200: counts?.status200 ?? null,
    unlinked_count: counts?.unlinkedCount ?? null,
    max_depth: counts?.maxDepth ?? null,
    audit_summary: counts?.auditSummary ?? null,
    ...{ created_at: held.createdAt, started_at: held.startedAt, completed_at: held.completedAt },
    ...{ error: held.error, trigger: held.trigger, max_pages: held.maxPages, seeds: [...held.seeds] },
    render_js: held.renderJs,
    progress: progress && { pages_known: progress.known, pages_fetched: progress.fetched },
    delta: held.delta && toDelta(held.delta),
  };
}

function toDelta(held: CrawlDelta): z.input<typeof delta> {
  return {
    ...{ previous_crawl_id: held.previousCrawlId, new: held.new, gone: held.gone },
    ...{ status_changed: held.statusChanged, title_changed: held.titleChanged },
    ...{ canonical_changed: held.canonicalChanged, indexable_changed: held.indexableChanged },
  };
}
