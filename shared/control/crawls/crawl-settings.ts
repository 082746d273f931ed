import { z } from 'zod';
import { unknownWebsite } from '../aggregates/website.js';
import { commandKind } from '../domain/command.js';
import { eventKind, nextEvent } from '../domain/event.js';
import type { CrawlSettings } from '../domain/model.js';
import type { ControlState } from '../domain/state.js';
import { DEFAULT_CRAWL_PAGES, FEWEST_CRAWL_PAGES, MOST_CRAWL_PAGES } from './crawl-bounds.js';

/** Crawl settings of a website that differ from the defaults (spec §2.6). */

const MOST_QUERY_KEYS = 50;
const LONGEST_QUERY_KEY = 100;

const defaults: Omit<CrawlSettings, 'id'> = {
  autoCrawl: false,
  autoCrawlMaxPages: DEFAULT_CRAWL_PAGES,
  renderJs: false,
  queryKeys: [],
};

/** Also used by {@link requestCrawl}: a number given by a person. */
export const crawlPages = z.int().min(FEWEST_CRAWL_PAGES).max(MOST_CRAWL_PAGES);

export const crawlSettingsChanged = eventKind({
  aggregate: 'crawl_settings',
  type: 'crawl_settings.changed',
  schema: z.object({
    websiteId: z.string(),
    autoCrawl: z.boolean(),
    autoCrawlMaxPages: z.int(),
    renderJs: z.boolean(),
    queryKeys: z.array(z.string()),
  }),
  evolve(state, id, { websiteId: _website, ...settings }) {
    state.crawlSettings.put({ id, ...settings });
  },
});

/** The website's settings. */
export function crawlSettingsOf(
  { crawlSettings }: Pick<ControlState, 'crawlSettings'>,
  websiteId: string,
): CrawlSettings {
  return crawlSettings.get(websiteId) ?? { id: websiteId, ...defaults };
}

/** Changes only the given settings, from the next crawl on. */
export const changeCrawlSettings = commandKind({
  schema: z.strictObject({
    websiteId: z.string(),
    autoCrawl: z.boolean().optional(),
    autoCrawlMaxPages: crawlPages.optional(),
    renderJs: z.boolean().optional(),
    queryKeys: z.array(z.string().trim().min(1).max(LONGEST_QUERY_KEY)).max(MOST_QUERY_KEYS).optional(),
  }),
  decide(state, { websiteId, ...given }) {
    if (state.websites.get(websiteId) === undefined) return unknownWebsite(websiteId);
    const { id: _website, ...held } = crawlSettingsOf(state, websiteId);
    const wanted = {
      autoCrawl: given.autoCrawl ?? held.autoCrawl,
      autoCrawlMaxPages: given.autoCrawlMaxPages ?? held.autoCrawlMaxPages,
      renderJs: given.renderJs ?? held.renderJs,
      queryKeys: given.queryKeys === undefined ? held.queryKeys : [...new Set(given.queryKeys)].sort(),
    };
    const isSame = JSON.stringify(wanted) === JSON.stringify(held);
    const data = { websiteId, ...wanted, queryKeys: [...wanted.queryKeys] };
    return {
      events: isSame ? [] : [nextEvent(state, crawlSettingsChanged, websiteId, data)],
      answer: (after): CrawlSettings => crawlSettingsOf(after, websiteId),
    };
  },
});
