import { z } from '@hono/zod-openapi';
import { llms, MAX_COLUMNS } from '../../../../shared/reads/ai/llms.js';
import { integerParameter } from '../../operation/parameters.js';
import { windowRead } from '../../operation/window-read.js';

export const getLlms = windowRead({
  id: 'getLlms',
  tag: 'AI',
  path: '/llms',
  summary: 'Which AI systems read the site, and what they read',
  description: `Requests of the crawlers of AI operators: by what they fetch for (training: text for models; search: an index for answers; fetcher: a page that a person's question needs, whatever robots.txt says), by crawler, over time and by page. An impostor is counted nowhere but in \`spoofed_count\`, also where the proof came late. Pages are html and the like; assets are left out of all that counts pages. The chart has a column for the ${MAX_COLUMNS} crawlers with most requests; the rest is in \`other\`.

What the market calls a citation is a request of a crawler with the intent fetcher, from an address proved to be one of it, answered 200 or 304: \`ai-funnel\` counts these as \`citations\`. Google's AI answers are made from what Googlebot fetched for its search, so that their reading is not told apart from search.`,
  plans: 'starter',
  parameters: z.object({
    limit: integerParameter({ min: 1, max: 1000, default: 100, description: 'Pages in the answer.' }),
  }),
  segment: true,
  answer: llms,
});
