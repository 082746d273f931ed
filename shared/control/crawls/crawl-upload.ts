import { z } from 'zod';
import { unknownWebsite } from '../aggregates/website.js';
import { commandKind, type DecisionResult, refuse } from '../domain/command.js';
import { eventKind } from '../domain/event.js';
import type { Crawl } from '../domain/model.js';
import { changedCrawl, displacedCrawls, refuseSecond } from './crawl.js';
import { MOST_UPLOADED_PAGES } from './crawl-bounds.js';
import { CRAWLS, newCrawl } from './crawl-events.js';
import { crawlIdOf } from './crawl-id.js';

/**
 * Crawls made by another crawler and uploaded by the operator (spec §3.8): announced, stored in the file store, and
 * then read by the jobs service.
 */

export const uploadAnnounced = eventKind({
  aggregate: CRAWLS,
  type: 'crawl.upload_announced',
  schema: z.object({
    crawlId: z.string(),
    websiteId: z.string(),
    filename: z.string(),
    hasLinks: z.boolean(),
    drops: z.array(z.string()),
  }),
  evolve(state, _id, { crawlId, websiteId, filename, hasLinks, drops }, at) {
    for (const dropped of drops) state.crawls.remove(dropped);
    state.crawls.put({
      ...newCrawl(crawlId, websiteId, at),
      ...{ source: 'upload', trigger: 'admin', status: 'pending_upload', filename, hasLinks },
      ...{ seeds: [], maxPages: MOST_UPLOADED_PAGES, renderJs: false, queryKeys: [] },
    });
  },
});

export const crawlUploaded = eventKind({
  aggregate: CRAWLS,
  type: 'crawl.uploaded',
  schema: z.object({ crawlId: z.string() }),
  evolve(state, _id, { crawlId }) {
    const held = state.crawls.get(crawlId);
    if (held !== undefined) state.crawls.put({ ...held, status: 'queued' });
  },
});

/** Its files follow, under the keys of shared/files/upload-files.ts. */
export const announceCrawlUpload = commandKind({
  schema: z.strictObject({
    websiteId: z.string(),
    filename: z.string().min(1).max(255),
    /** A second file follows, with the links between the pages. */
    hasLinks: z.boolean().default(false),
  }),
  decide(state, { websiteId, filename, hasLinks }, { now, generated }): DecisionResult<Crawl> {
    if (state.websites.get(websiteId) === undefined) return unknownWebsite(websiteId);
    const refusal = refuseSecond(state, websiteId);
    if (refusal !== null) return refusal;
    const crawlId = crawlIdOf(now, generated.id);
    if (state.crawls.get(crawlId) !== undefined)
      return refuse('conflict', 'retry the request', 'crawl_id_taken');
    const data = { crawlId, websiteId, filename, hasLinks, drops: displacedCrawls(state, websiteId) };
    return changedCrawl(state, uploadAnnounced, websiteId, data);
  },
});

/** Its files are stored, so a worker may read them. */
export const completeCrawlUpload = commandKind({
  schema: z.strictObject({ crawlId: z.string() }),
  decide(state, { crawlId }): DecisionResult<Crawl> {
    const held = state.crawls.get(crawlId);
    if (held === undefined) return refuse('not_found', `there is no crawl "${crawlId}"`);
    if (held.status !== 'pending_upload')
      return refuse('conflict', `the crawl is ${held.status} already`, 'crawl_uploaded');
    return changedCrawl(state, crawlUploaded, held.websiteId, { crawlId });
  },
});
