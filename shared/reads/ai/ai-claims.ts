import { z } from '@hono/zod-openapi';
import { type AiIntent, aiIntents } from '../../requests/enriched-request.js';
import { count } from '../answer/figures.js';
import { oneOf } from '../sql/filters.js';
import { pageTypes } from '../sql/served-page.js';

/** Filters and counts shared by the reads of AI crawlers. */

/** Claims to be a bot of an AI operator, including those of impostors. */
export const aiClaims = oneOf('bot_category', ['ai']);

/** Neither assets nor feeds. */
export const pagesOnly = oneOf('file_type', pageTypes);

/**
 * A count for each intent, and one for crawlers without an intent. @param of e.g. `Requests`, `Distinct pages that were served to crawlers`
 */
export function intentCounts(of: string) {
  return z.object({
    training: count(`${of} that collect text for models.`),
    search: count(`${of} that build an index for answers.`),
    fetcher: count(
      `${of} that fetch a page when a person requests it; fetchers ignore robots.txt by design.`,
    ),
    unknown: count(
      `${of} whose intent no table lists: only a public list of user agents classifies them as AI.`,
    ),
  });
}

/** @param rows at most one for each intent. */
export function toIntentCounts<Row extends { ai_intent: string }>(
  rows: readonly Row[],
  countOf: (row: Row) => number,
): Record<AiIntent | 'unknown', number> {
  const of = (intent: AiIntent | '') =>
    rows.reduce((sum, row) => sum + (row.ai_intent === intent ? countOf(row) : 0), 0);
  const byIntent = Object.fromEntries(aiIntents.map((intent) => [intent, of(intent)])) as Record<
    AiIntent,
    number
  >;
  return { ...byIntent, unknown: of('') };
}
