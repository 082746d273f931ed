import { z } from '@hono/zod-openapi';
import { dateWindow, laterDatedWindow, toAnswerWindow } from '../../../../shared/reads/answer/windows.js';
import { basesFields, readCrawlBases } from '../../../../shared/reads/bots/counted-crawlers.js';
import type { CrawlBases } from '../../../../shared/reads/bots/crawl-basis-sql.js';
import {
  MOST_DETAILS,
  notFoundDetail,
  type RecommendationDetail,
  slowDetail,
  unverifiedDetail,
} from '../../../../shared/reads/recommendations/recommendation-details.js';
import { toWindowDays, windowDays } from '../../../../shared/reads/recommendations/recommendation-items.js';
import { StoreTimeoutError } from '../../../../shared/store/store-errors.js';
import { quickOrSlow } from '../../operation/answer-or-buffer.js';
import { type OperationText, websiteRead } from '../../operation/operation.js';
import { windowParameters } from '../../operation/parameters.js';
import { resolveWindow } from '../../operation/resolve-scope.js';
import { TAG } from './recommendation.js';
import { recommendationInput } from './recommendation-input.js';

/** The full lists of recommendations, with details from single requests (spec §4.8). */

/** null after a time-out. */
const nullableBases = {
  crawl_basis: basesFields.crawl_basis.nullable(),
  ai_basis: basesFields.ai_basis.nullable(),
};

const TIMEOUT = 'timeout' as const;

function detailRead<Item extends z.ZodObject>(
  text: Pick<OperationText, 'id' | 'path' | 'summary' | 'description'>,
  { item, hasBases, read }: RecommendationDetail<Item>,
) {
  const answer = z.object({
    ...laterDatedWindow,
    window_days: windowDays,
    ...(hasBases ? nullableBases : {}),
    items: z.array(item).openapi({
      description: `Unresolved items, best score first, at most ${MOST_DETAILS}; empty after a time-out.`,
    }),
    error: z.enum([TIMEOUT]).nullable().openapi({
      description: 'timeout: the query took longer than a call waits, and `items` is empty. Retry.',
    }),
    data_buffering: z.boolean().openapi({
      description:
        'true, with the error timeout: the query is still running. Repeat the same call after Retry-After to get the result.',
    }),
  });
  return websiteRead({
    ...text,
    tag: TAG,
    query: z.object(windowParameters()),
    answer,
    async run({ hours, start, end }, context) {
      const { website, services, now } = context;
      const scope = { websiteId: website.id, window: resolveWindow({ hours, start, end }, now), filters: {} };
      const input = recommendationInput(context);
      const windowName = start !== undefined && end !== undefined ? [start, end] : hours;
      const time = { window: toAnswerWindow(scope.window), window_days: toWindowDays(scope.window) };
      const toBases = (bases: CrawlBases | null) =>
        hasBases ? { crawl_basis: bases?.search ?? null, ai_basis: bases?.ai ?? null } : {};
      const timedOut = (data_buffering: boolean) => ({
        ...{ ...time, ...toBases(null), items: [], error: TIMEOUT, data_buffering },
      });
      try {
        const found = await quickOrSlow(services, {
          key: JSON.stringify([text.id, website.id, windowName]),
          owner: website.organisationId,
          read: async (reader) => {
            const { fields } = await dateWindow(reader, scope);
            const bases = await readCrawlBases(reader, scope);
            return { fields, bases, items: await read(reader, scope, input, bases) };
          },
        });
        if (!found.ready) return timedOut(true) as never;
        const { fields, bases, items } = found.value;
        return { ...time, ...fields, ...toBases(bases), items, error: null, data_buffering: false } as never;
      } catch (error) {
        if (error instanceof StoreTimeoutError) return timedOut(false) as never;
        throw error;
      }
    },
  });
}

export const getNotFoundPaths = detailRead(
  {
    id: 'getNotFoundRecommendations',
    path: '/recommendations/paths-404',
    summary: 'Full list of pages not found',
    description:
      'The paths answered 404 among the 500 paths with most 4xx requests, with their clients. User agents come from the single requests of the window.',
  },
  notFoundDetail,
);

export const getSlowPaths = detailRead(
  {
    id: 'getSlowRecommendations',
    path: '/recommendations/slow-paths',
    summary: 'Full list of slow pages',
    description:
      'Paths whose requests take a second or longer on average, with the distribution of times and their clients. All figures come from the single requests of the window that have a response time.',
  },
  slowDetail,
);

export const getUnverifiedBots = detailRead(
  {
    id: 'getUnverifiedBotRecommendations',
    path: '/recommendations/unverified-bots',
    summary: 'Full list of crawler impostors',
    description:
      'Bot claims that were proved false, by claimed bot and address, with their paths and the real share of the claimed bot. Figures come from the single requests of the window. Addresses proved to belong to a crawler in the window, or published by a search engine, are never listed.',
  },
  unverifiedDetail,
);
