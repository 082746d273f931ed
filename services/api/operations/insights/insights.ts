import { z } from '@hono/zod-openapi';
import { standaloneAnswer } from '../../../../shared/reads/answer/answer.js';
import { count } from '../../../../shared/reads/answer/figures.js';
import { instant, toInstant } from '../../../../shared/reads/answer/instant.js';
import { parseFilters } from '../../../../shared/reads/insights/insight-filters.js';
import type { InsightKey } from '../../../../shared/reads/insights/insight-key.js';
import { readInsights } from '../../../../shared/reads/insights/insight-rows.js';

/** spec §8 */
const MOST_INSIGHTS = 10;

const insight = z
  .object({
    id: z.int().openapi({ description: 'Unique within the website.', example: 2894419210371134 }),
    page: z.string().openapi({
      description: '/: the whole website; else the path of one page.',
      example: '/',
    }),
    period: z.string().openapi({
      description:
        'Window of the insight as an ISO 8601 interval: start <= timestamp < end, UTC. Reads with this start and end return the same figures, unless logs arrived later.',
      example: '2026-11-15T00:00:00Z/2026-11-22T00:00:00Z',
    }),
    filters: z.record(z.string(), z.unknown()).openapi({ description: 'Filters; {}: none.', example: {} }),
    content: z.string().openapi({
      description:
        'Markdown, without HTML, images and links. Names, paths and user agents are in backticks. Every figure was inserted from the answer of a read.',
    }),
    tools_used: z.array(z.string()).openapi({
      description: 'Reads whose answers the model received, in the order of first use.',
      example: ['summary', 'status_codes'],
    }),
    input_tokens: count('Input tokens of the model.'),
    output_tokens: count('Output tokens of the model.'),
    created_at: instant,
  })
  .openapi('Insight');

export const insights = standaloneAnswer({
  schema: z.object({
    insights: z.array(insight).openapi({ description: `Newest first, at most ${MOST_INSIGHTS}.` }),
  }),
  async read(reader, { websiteId }, { page, filters }: Omit<InsightKey, 'websiteId'>) {
    const found = await readInsights(reader, { websiteId, page, filters }, MOST_INSIGHTS);
    return {
      insights: found.map((each) => ({
        id: each.id,
        page,
        period: `${toSeconds(each.period.start)}/${toSeconds(each.period.end)}`,
        filters: parseFilters(filters),
        content: each.content,
        tools_used: [...each.toolsUsed],
        input_tokens: each.inputTokens,
        output_tokens: each.outputTokens,
        created_at: toInstant(each.createdAt),
      })),
    };
  },
});

/** Whole seconds, without a fraction. */
function toSeconds(milliseconds: number): string {
  return toInstant(milliseconds).replace('.000Z', 'Z');
}
