import { z } from '@hono/zod-openapi';
import { count, twoDigits } from '../answer/figures.js';
import { indexedVerdicts } from './page-facts.js';
import type { SearchFigures } from './search-measures.js';

/** How figures of a search engine's results look in every answer. */
export const searchFigures = {
  impressions: count('Times that it was shown in results.'),
  clicks: count('Times that it was clicked there.'),
  ctr: z.number().openapi({ description: 'Clicks per impression, 0 to 1; 0 without impressions.' }),
  position: z.number().nullable().openapi({
    description: 'Mean place in the results, from 1, weighted by impressions; null where it is not told.',
  }),
};

export function toSearchFigures({ impressions, clicks, position }: SearchFigures) {
  const ctr = impressions === 0 ? 0 : Math.round((10_000 * clicks) / impressions) / 10_000;
  return { impressions, clicks, ctr, position: toPosition(position) };
}

/** Two digits; null where none was told. */
export function toPosition(position: number): number | null {
  return position === 0 ? null : twoDigits(position);
}

export const scConnected = z
  .boolean()
  .openapi({ description: 'Whether a search-performance source is connected to the website.' });

/** Why there is nothing to show of a source. */
export const searchReason = z
  .enum(['sc_not_connected', 'not_synced_yet'])
  .nullable()
  .openapi({ description: 'Why nothing is available; null where it is.' });

export const indexStatus = z.enum(['indexed', 'not_indexed', 'pending']).openapi({
  description: 'Whether the search engine lists the page; pending: it was never asked.',
});

/** @param inspection null: there was none. */
export function toIndexStatus(inspection: { readonly verdict: string } | null): z.input<typeof indexStatus> {
  if (inspection === null) return 'pending';
  return indexedVerdicts.includes(inspection.verdict) ? 'indexed' : 'not_indexed';
}

/** A text that is empty where nothing was said. */
export function orNull(text: string): string | null {
  return text === '' ? null : text;
}
