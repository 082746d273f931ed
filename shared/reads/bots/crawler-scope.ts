import { DAY_MS } from '../../durations.js';
import { verificationStatuses } from '../../requests/enriched-request.js';
import { twoDigits } from '../answer/figures.js';
import { type CrawlerFilters, oneOf } from '../sql/filters.js';
import type { Scope, Window } from '../sql/scope.js';

/**
 * What the reads of the seo family are about: requests of the crawlers of search engines, or of the crawler that the caller names, as
 * `bot` or by the filters of all reads.
 */

export interface CrawlerInput {
  /** One crawler by its name or its family, whatever it crawls for. */
  readonly bot?: string | undefined;
  readonly params_filter: 'all' | 'with_params' | 'no_params';
}

/** With the requests of proven impostors: for answers that tell them apart. @param also what the answer narrows them to. */
export function claimedCrawlers(
  scope: Scope,
  { bot, params_filter }: CrawlerInput,
  also: CrawlerFilters = {},
): Scope {
  const { bot: anyName, botName, botFamily } = scope.filters;
  const isNamed = anyName !== undefined || botName !== undefined || botFamily !== undefined;
  const named = {
    ...(bot !== undefined ? { named: bot } : isNamed ? {} : { category: 'search' }),
    ...(params_filter === 'all' ? {} : { hasQuery: params_filter === 'with_params' }),
    ...also,
  };
  return { ...scope, filters: { ...scope.filters, crawlers: named } };
}

const genuine = verificationStatuses.filter((status) => status !== 'spoofed');

/** But for proven impostors, as a condition of an answer's own. */
export const unspoofed = oneOf('verification', genuine);

/** But for proven impostors, who are in a class of their own. */
export function crawlers(scope: Scope, input: CrawlerInput, also: CrawlerFilters = {}): Scope {
  return claimedCrawlers(scope, input, { verifications: genuine, ...also });
}

/** How a window's figure is told for each day. */
export const DAYS_TEXT =
  'Days count from the start of the window, or from data_since where that is later: before it nothing is kept. A day of which there is only a part counts as that part; less than a day counts as one day.';

/** Days of the window of which there may be data. @param since when they begin; null without any. */
export function daysOf({ start, end }: Window, since: number | null): number {
  return Math.max((end - Math.max(start, since ?? start)) / DAY_MS, 1);
}

/** Requests a day, with two digits. @param days as {@link daysOf} has them. */
export function perDay(requests: number, days: number): number {
  return twoDigits(requests / days);
}
