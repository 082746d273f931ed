import { z } from '@hono/zod-openapi';
import {
  canonicalFilters,
  MOST_FILTER_CHARACTERS,
} from '../../../../shared/reads/insights/insight-filters.js';
import { checkedPage, MOST_PAGE_CHARACTERS } from '../../../../shared/reads/insights/insight-key.js';
import { websiteRead } from '../../operation/operation.js';
import { insights } from './insights.js';

export const getInsights = websiteRead({
  id: 'getInsights',
  tag: 'Insights',
  path: '/insights',
  summary: 'What a language model wrote of the website',
  description:
    'Insights that were written before, newest first; nothing is written by this call. Each night one is written of the website as a whole, `page` / and `filters` {}, where this installation has a language model; others are written when the operator asks for them. An empty list means that there is none of this page with these filters. The model receives answers of the reads of this API and nothing else. It writes no digits: the figures are inserted from these answers, and a text with a digit of its own is discarded. Kept for 90 days. Takes no window.',
  query: z.object({
    page: z.string().max(MOST_PAGE_CHARACTERS).default('/').openapi({
      description: 'As it was written for: / is the website as a whole, another path that page.',
      example: '/',
    }),
    filters: z
      .string()
      .default('{}')
      .openapi({
        description: `As it was written for: a JSON object of at most ${MOST_FILTER_CHARACTERS} characters, percent-encoded. The order of its names and blanks do not count.`,
        example: '{}',
      }),
  }),
  answer: insights.schema,
  run: ({ page, filters }, { website, now, services }) =>
    insights.read(
      services.reader,
      { websiteId: website.id, now },
      { page: checkedPage(page), filters: canonicalFilters(filters) },
    ),
});
