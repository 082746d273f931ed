import { z } from 'zod';
import { DAY_MS, HOUR_MS } from '../../durations.js';
import { isOfAttempt, isReturnable } from '../aggregates/attempts.js';
import { unknownWebsite } from '../aggregates/website.js';
import { commandKind, type DecisionResult, refuse } from '../domain/command.js';
import { type EventKind, nextEvent } from '../domain/event.js';
import { type Crawl, crawlTriggers } from '../domain/model.js';
import { type ControlState, isOpenCrawl as isOpen } from '../domain/state.js';
import {
  crawlCounts,
  crawlDelta,
  crawlEnded,
  crawlPostponed,
  crawlRequested,
  crawlReturned,
  crawlStarted,
} from './crawl-events.js';
import { crawlIdOf } from './crawl-id.js';
import { crawlPages, crawlSettingsOf } from './crawl-settings.js';
import { crawlsOf } from './latest-crawl.js';

/**
 * Crawls of a website by the jobs service (spec §2.6, §3.8). All crawls of a website are one aggregate, so that each
 * decision can limit the open and the kept ones. The pages are rows in ClickHouse. The jobs service deletes rows whose
 * crawl is not in the state.
 */

/** Crawls kept per website: as many as the list shows (spec §4.6). */
export const MOST_CRAWLS = 20;
/** Ready crawls that always stay, despite later failures: the newest, and the one it is compared with. */
const READY_KEPT = 2;
/** From any crawl to the next automatic one. An hour less, so that it keeps its time of day. */
const AUTO_EVERY_MS = 7 * DAY_MS - HOUR_MS;
const MOST_SEEDS = 20;
const LONGEST_SEED = 2_048;
const LONGEST_ERROR = 1_000;

/** Crawls of the website that the next one replaces. */
export function displacedCrawls(state: ControlState, websiteId: string): string[] {
  const held = crawlsOf(state, websiteId);
  const ready = held.filter(({ status }) => status === 'ready').slice(0, READY_KEPT);
  return held
    .slice(MOST_CRAWLS - 1)
    .filter((each) => !ready.includes(each))
    .map(({ id }) => id);
}

/** null: the website may have another crawl. */
export function refuseSecond(state: ControlState, websiteId: string) {
  const held = state.crawls.by('websiteId', websiteId).find(isOpen);
  if (held === undefined) return null;
  return refuse(
    'conflict',
    `the crawl "${held.id}" of the website is ${held.status}: wait until it has ended, or cancel it first`,
    'crawl_open',
  );
}

/** The event, and the crawl after it. */
export function changedCrawl<Schema extends z.ZodType>(
  state: ControlState,
  kind: EventKind<Schema>,
  websiteId: string,
  data: z.input<Schema> & { readonly crawlId: string },
): DecisionResult<Crawl> {
  const events = [nextEvent(state, kind, websiteId, data)];
  return { events, answer: (after) => after.crawls.get(data.crawlId)! };
}

export const requestCrawl = commandKind({
  schema: z.strictObject({
    websiteId: z.string(),
    trigger: z.enum(crawlTriggers),
    /** Absent: the website's setting. */
    maxPages: crawlPages.optional(),
    seeds: z
      .array(z.url({ protocol: /^https?$/ }).max(LONGEST_SEED))
      .max(MOST_SEEDS)
      .default([]),
  }),
  decide(state, { websiteId, trigger, maxPages, seeds }, { now, generated }): DecisionResult<Crawl> {
    if (state.websites.get(websiteId) === undefined) return unknownWebsite(websiteId);
    const refusal = refuseSecond(state, websiteId);
    if (refusal !== null) return refusal;
    const [newest] = crawlsOf(state, websiteId);
    if (trigger === 'auto' && newest !== undefined && now - Date.parse(newest.createdAt) < AUTO_EVERY_MS)
      return refuse('conflict', 'the website was crawled within the last week', 'crawled_lately');
    const crawlId = crawlIdOf(now, generated.id);
    if (state.crawls.get(crawlId) !== undefined)
      return refuse('conflict', 'retry the request', 'crawl_id_taken');
    const { autoCrawlMaxPages, renderJs, queryKeys } = crawlSettingsOf(state, websiteId);
    return changedCrawl(state, crawlRequested, websiteId, {
      ...{ crawlId, websiteId, source: 'service_crawler', trigger, seeds, renderJs },
      ...{ maxPages: maxPages ?? autoCrawlMaxPages, queryKeys: [...queryKeys] },
      drops: displacedCrawls(state, websiteId),
    });
  },
});

/** The worker's report about an attempt is obsolete: the crawl was cancelled, erased, or belongs to another worker. */
const passed = () => refuse('conflict', 'the crawl has continued without this attempt');

/** Starts the next attempt. An attempt of a dead process is repeated. */
export const startCrawl = commandKind({
  schema: z.strictObject({ crawlId: z.string(), attemptsBefore: z.int() }),
  decide(state, { crawlId, attemptsBefore }): DecisionResult<Crawl> {
    const held = state.crawls.get(crawlId);
    if (held === undefined || !isOpen(held) || held.attempts !== attemptsBefore) return passed();
    if (held.status === 'pending_upload') return passed();
    return changedCrawl(state, crawlStarted, held.websiteId, { crawlId, attempt: attemptsBefore + 1 });
  },
});

/** Returns an attempt that failed for external reasons, so that it does not count. */
export const returnCrawl = commandKind({
  schema: z.strictObject({ crawlId: z.string(), attempt: z.int().positive() }),
  decide(state, { crawlId, attempt }): DecisionResult<Crawl> {
    const held = state.crawls.get(crawlId);
    if (held === undefined || !isOpen(held) || !isReturnable(held, attempt)) return passed();
    return changedCrawl(state, crawlReturned, held.websiteId, { crawlId, attempt });
  },
});

/** The attempt failed without the website's fault: the next one continues where it stopped. */
export const postponeCrawl = commandKind({
  schema: z.strictObject({ crawlId: z.string(), attempt: z.int(), retryAt: z.iso.datetime() }),
  decide(state, { crawlId, attempt, retryAt }): DecisionResult<Crawl> {
    const held = state.crawls.get(crawlId);
    if (!isOfAttempt(held, attempt)) return passed();
    return changedCrawl(state, crawlPostponed, held.websiteId, { crawlId, retryAt });
  },
});

/** Result of an attempt that ended the crawl. */
export const endCrawl = commandKind({
  schema: z.strictObject({
    crawlId: z.string(),
    attempt: z.int(),
    outcome: z.discriminatedUnion('status', [
      z.strictObject({ status: z.literal('ready'), counts: crawlCounts, delta: crawlDelta.nullable() }),
      z.strictObject({ status: z.enum(['failed', 'blocked']), error: z.string().min(1).max(LONGEST_ERROR) }),
    ]),
  }),
  decide(state, { crawlId, attempt, outcome }): DecisionResult<Crawl> {
    const held = state.crawls.get(crawlId);
    if (!isOfAttempt(held, attempt)) return passed();
    const data = { crawlId, error: null, counts: null, delta: null, ...outcome };
    return changedCrawl(state, crawlEnded, held.websiteId, data);
  },
});

/** A worker stops as soon as it sees this. */
export const cancelCrawl = commandKind({
  schema: z.strictObject({ websiteId: z.string(), crawlId: z.string() }),
  decide(state, { websiteId, crawlId }): DecisionResult<Crawl> {
    const held = state.crawls.get(crawlId);
    if (held === undefined || held.websiteId !== websiteId)
      return refuse('not_found', `crawl_id: the website has no crawl "${crawlId}"`);
    if (!isOpen(held))
      return refuse(
        'conflict',
        `the crawl is ${held.status} already: only a waiting or running crawl can be cancelled`,
        'crawl_ended',
      );
    const nothing = { error: null, counts: null, delta: null };
    return changedCrawl(state, crawlEnded, websiteId, { crawlId, status: 'cancelled', ...nothing });
  },
});
