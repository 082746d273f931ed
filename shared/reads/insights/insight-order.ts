import { z } from 'zod';
import { canonicalFilters, scopeOfFilters } from './insight-filters.js';
import { checkedPage, wholeWebsite } from './insight-key.js';

/** The insight to write, as in the request of the job: the page and the filters as text. */
const order = z.strictObject({
  page: z.string(),
  filters: z.string(),
  /** For the demo: fixed sentences with the figures of reads, instead of the configured language model. */
  recorded: z.boolean().default(false),
});

/**
 * Checks an operator's order.
 * @returns the request's text.
 * @throws PublicError invalid_request naming the field.
 */
export function toInsightOrder({ page, filters, recorded }: z.input<typeof order>): string {
  const canonical = canonicalFilters(filters);
  scopeOfFilters(canonical);
  return JSON.stringify({ page: checkedPage(page), filters: canonical, ...(recorded && { recorded }) });
}

/** @param text from {@link toInsightOrder}; '': the whole website. @throws Error for any other text. */
export function readInsightOrder(text: string): z.output<typeof order> {
  if (text === '') return { ...wholeWebsite, recorded: false };
  const { page, filters, recorded } = order.parse(JSON.parse(text));
  return { page: checkedPage(page), filters: canonicalFilters(filters), recorded };
}
