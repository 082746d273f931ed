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
  summary: 'Insights written by a language model',
  description:
    'Stored insights, newest first; this call writes none. If the installation has a language model, one insight about the whole website (`page` / and `filters` {}) is written each night. The operator can request others. An empty list means that there is no insight for this page and these filters. The model receives only answers of the reads of this API. It writes no digits: figures are inserted from these answers, and a text with other digits is discarded. Insights are stored for 90 days. Takes no window.',
  query: z.object({
    page: z.string().max(MOST_PAGE_CHARACTERS).default('/').openapi({
      description: 'Page of the insight: / is the whole website, another path is one page.',
      example: '/',
    }),
    filters: z
      .string()
      .default('{}')
      .openapi({
        description: `Filters of the insight: a JSON object of at most ${MOST_FILTER_CHARACTERS} characters, percent-encoded. The order of names and blanks do not matter.`,
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
