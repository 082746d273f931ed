import { z } from 'zod';
import { type EventKind, eventKind } from '../domain/event.js';
import { type Crawl, crawlSources, crawlTriggers } from '../domain/model.js';
import type { WritableState } from '../domain/state.js';

/** Events of a crawl (crawl.ts). */

export const CRAWLS = 'crawl_list';

const of = { crawlId: z.string() };

/** A crawl without attempts. */
export function newCrawl(
  id: string,
  websiteId: string,
  at: string,
): Omit<Crawl, 'source' | 'trigger' | 'seeds' | 'maxPages' | 'renderJs' | 'queryKeys'> {
  return {
    ...{ id, websiteId, status: 'queued', filename: null, hasLinks: false, attempts: 0, returned: [] },
    ...{ createdAt: at, startedAt: null, notBefore: null, completedAt: null },
    ...{ error: null, counts: null, delta: null },
  };
}

export const crawlRequested = eventKind({
  aggregate: CRAWLS,
  type: 'crawl.requested',
  schema: z.object({
    ...of,
    websiteId: z.string(),
    source: z.enum(crawlSources),
    trigger: z.enum(crawlTriggers),
    seeds: z.array(z.string()),
    maxPages: z.int(),
    renderJs: z.boolean(),
    queryKeys: z.array(z.string()),
    /** Ids of older crawls of the website that are dropped. */
    drops: z.array(z.string()),
  }),
  evolve(state, _id, { crawlId, drops, ...data }, at) {
    for (const dropped of drops) state.crawls.remove(dropped);
    state.crawls.put({ ...newCrawl(crawlId, data.websiteId, at), ...data });
  },
});

/** A kind of event about an existing crawl; it does nothing if the crawl is gone. */
function changeOf<Schema extends z.ZodType<{ crawlId: string }>>(
  type: string,
  schema: Schema,
  change: (held: Crawl, data: z.output<Schema>, at: string) => Crawl,
): EventKind<Schema> {
  return eventKind({
    aggregate: CRAWLS,
    type,
    schema,
    evolve(state: WritableState, _id, data, at) {
      const held = state.crawls.get(data.crawlId);
      if (held !== undefined) state.crawls.put(change(held, data, at));
    },
  });
}

export const crawlStarted = changeOf(
  'crawl.started',
  z.object({ ...of, attempt: z.int() }),
  (held, { attempt }, at) => ({
    ...held,
    status: 'processing',
    attempts: attempt,
    startedAt: held.startedAt ?? at,
    notBefore: null,
  }),
);

/**
 * A replica returned its attempt, since it lost the website or its process ends. The next owner may already have
 * started another.
 */
export const crawlReturned = changeOf(
  'crawl.returned',
  z.object({ ...of, attempt: z.int() }),
  (held, { attempt }) => ({
    ...held,
    returned: [...held.returned, attempt],
    status: held.attempts === attempt ? 'queued' : held.status,
  }),
);

/** An attempt failed and will be retried. */
export const crawlPostponed = changeOf(
  'crawl.postponed',
  z.object({ ...of, retryAt: z.string() }),
  (held, { retryAt }) => ({ ...held, status: 'queued', notBefore: retryAt }),
);

const count = z.int().min(0);

export const crawlCounts = z.object({
  urlCount: count,
  indexableCount: count,
  status200: count,
  unlinkedCount: count,
  maxDepth: count.nullable(),
  auditSummary: z.object({ high: count, medium: count, low: count }),
});

export const crawlDelta = z.object({
  previousCrawlId: z.string(),
  new: count,
  gone: count,
  statusChanged: count,
  titleChanged: count,
  canonicalChanged: count,
  indexableChanged: count,
});

export const crawlEnded = changeOf(
  'crawl.ended',
  z.object({
    ...of,
    status: z.enum(['ready', 'failed', 'blocked', 'cancelled']),
    error: z.string().nullable(),
    counts: crawlCounts.nullable(),
    delta: crawlDelta.nullable(),
  }),
  (held, { crawlId: _id, ...ended }, at) => ({ ...held, ...ended, notBefore: null, completedAt: at }),
);
