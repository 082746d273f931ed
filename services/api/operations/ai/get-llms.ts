import { z } from '@hono/zod-openapi';
import { llms, MAX_COLUMNS } from '../../../../shared/reads/ai/llms.js';
import { integerParameter } from '../../operation/parameters.js';
import { windowRead } from '../../operation/window-read.js';

export const getLlms = windowRead({
  id: 'getLlms',
  tag: 'AI',
  path: '/llms',
  summary: 'Requests of AI crawlers',
  description: `Requests of the crawlers of AI operators, by intent, by crawler, over time and by page. Intents are training (text for models), search (an index for answers) and fetcher (a page for a person's question, regardless of robots.txt). Impostors count only in \`spoofed_count\`, also if they were proved late. Page figures include html and the like and exclude assets. The chart has a column for each of the ${MAX_COLUMNS} crawlers with most requests; \`other\` contains the rest.

The market calls a request of a crawler with the intent fetcher, from a proven address, answered 200 or 304, a citation: \`ai-funnel\` counts these as \`citations\`. Google builds its AI answers from the fetches of Googlebot for search, so they can not be distinguished from search.`,
  plans: 'starter',
  parameters: z.object({
    limit: integerParameter({ min: 1, max: 1000, default: 100, description: 'Pages in the answer.' }),
  }),
  segment: true,
  answer: llms,
});
