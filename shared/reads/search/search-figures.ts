import { z } from '@hono/zod-openapi';
import { count, twoDigits } from '../answer/figures.js';
import { indexedVerdicts } from './page-facts.js';
import type { SearchFigures } from './search-measures.js';

/** Figures of search results in all answers. */
export const searchFigures = {
  impressions: count('Impressions in search results.'),
  clicks: count('Clicks in search results.'),
  ctr: z.number().openapi({ description: 'Clicks per impression, 0 to 1; 0 without impressions.' }),
  position: z.number().nullable().openapi({
    description: 'Mean position in the results, from 1, weighted by impressions; null if not reported.',
  }),
};

export function toSearchFigures({ impressions, clicks, position }: SearchFigures) {
  const ctr = impressions === 0 ? 0 : Math.round((10_000 * clicks) / impressions) / 10_000;
  return { impressions, clicks, ctr, position: toPosition(position) };
}

/** Two digits; null if not reported. */
export function toPosition(position: number): number | null {
  return position === 0 ? null : twoDigits(position);
}

export const scConnected = z
  .boolean()
  .openapi({ description: 'Whether a search-performance source is connected to the website.' });

/** The reason why a source has no data. */
export const searchReason = z
  .enum(['sc_not_connected', 'not_synced_yet'])
  .nullable()
  .openapi({ description: 'Why no data are available; null if they are.' });

export const indexStatus = z.enum(['indexed', 'not_indexed', 'pending']).openapi({
  description: 'Whether the search engine indexed the page; pending: never queried.',
});

/** @param inspection null: none. */
export function toIndexStatus(inspection: { readonly verdict: string } | null): z.input<typeof indexStatus> {
  if (inspection === null) return 'pending';
  return indexedVerdicts.includes(inspection.verdict) ? 'indexed' : 'not_indexed';
}

/** An empty text as null. */
export function orNull(text: string): string | null {
  return text === '' ? null : text;
}
