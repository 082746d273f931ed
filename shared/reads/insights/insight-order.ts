import { z } from 'zod';
import { canonicalFilters, scopeOfFilters } from './insight-filters.js';
import { checkedPage, wholeWebsite } from './insight-key.js';

/** Which insight is to be written, as a request of the job says it: the page and the filters as text. */
const order = z.strictObject({
  page: z.string(),
  filters: z.string(),
  /** By fixed sentences around the figures of reads, for the demo, in place of the language model that is configured. */
  recorded: z.boolean().default(false),
});

/**
 * What an operator asked for, checked.
 * @returns the request's text.
 * @throws PublicError invalid_request naming the field.
 */
export function toInsightOrder({ page, filters, recorded }: z.input<typeof order>): string {
  const canonical = canonicalFilters(filters);
  scopeOfFilters(canonical);
  return JSON.stringify({ page: checkedPage(page), filters: canonical, ...(recorded && { recorded }) });
}

/** @param text as {@link toInsightOrder} gives it; '': the whole website. @throws Error where it is anything else. */
export function readInsightOrder(text: string): z.output<typeof order> {
  if (text === '') return { ...wholeWebsite, recorded: false };
  const { page, filters, recorded } = order.parse(JSON.parse(text));
  return { page: checkedPage(page), filters: canonicalFilters(filters), recorded };
}
