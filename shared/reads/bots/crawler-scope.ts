import { DAY_MS } from '../../durations.js';
import { verificationStatuses } from '../../requests/enriched-request.js';
import { twoDigits } from '../answer/figures.js';
import { type CrawlerFilters, oneOf } from '../sql/filters.js';
import type { Scope, Window } from '../sql/scope.js';

/** Selects the requests of the seo reads: those of search crawlers, or of the crawler that the caller names in `bot` or in the filters. */

export interface CrawlerInput {
  /** One crawler by its name or its family, with any purpose. */
  readonly bot?: string | undefined;
  readonly params_filter: 'all' | 'with_params' | 'no_params';
}

/** Includes proven impostors, for answers that count them separately. @param also further conditions of the answer. */
export function claimedCrawlers(
  scope: Scope,
  { bot, params_filter }: CrawlerInput,
  also: CrawlerFilters = {},
): Scope {
  const { bot: anyName, botName, botFamily } = scope.filters;
  const isNamed = anyName !== undefined || botName !== undefined || botFamily !== undefined;
  const crawlers = {
    ...(bot !== undefined ? { named: bot } : isNamed ? {} : { category: 'search' }),
    ...(params_filter === 'all' ? {} : { hasQuery: params_filter === 'with_params' }),
    ...also,
  };
  return { ...scope, filters: { ...scope.filters, crawlers: crawlers } };
}

const genuine = verificationStatuses.filter((status) => status !== 'spoofed');

/** Excludes proven impostors, as a separate condition. */
export const unspoofed = oneOf('verification', genuine);

/** Excludes proven impostors, which have their own class. */
export function crawlers(scope: Scope, input: CrawlerInput, also: CrawlerFilters = {}): Scope {
  return claimedCrawlers(scope, input, { verifications: genuine, ...also });
}

/** The rule for figures per day of a window. */
export const DAYS_TEXT =
  'Days count from the start of the window, or from data_since if that is later: earlier requests are not stored. A partial day counts as its fraction; less than one day counts as one day.';

/** Days of the window that can have data. @param since the start of the data; null without data. */
export function daysOf({ start, end }: Window, since: number | null): number {
  return Math.max((end - Math.max(start, since ?? start)) / DAY_MS, 1);
}

/** Requests per day, with two digits. @param days from {@link daysOf}. */
export function perDay(requests: number, days: number): number {
  return twoDigits(requests / days);
}
