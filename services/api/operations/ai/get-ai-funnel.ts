import { z } from '@hono/zod-openapi';
import { MAX_CHECKED } from '../../../../shared/reads/ai/ai-discovery.js';
import { type AiFunnelInput, aiFunnel } from '../../../../shared/reads/ai/ai-funnel.js';
import { visitRule } from '../../../../shared/reads/ai/ai-visits.js';
import { integerParameter } from '../../operation/parameters.js';
import { windowRead } from '../../operation/window-read.js';
import { connectionFor } from '../search/connection.js';

export const getAiFunnel = windowRead({
  id: 'getAiFunnel',
  tag: 'AI',
  path: '/ai-funnel',
  summary: 'AI fetches and the visits they lead to',
  description: `For each operator: the fetches of its crawlers for answers (\`fetches\`: intents search and fetcher), their fetches for training, and the visits that its assistants sent (\`referrals\`). ${visitRule} The market calls such a visit a click. A citation is a fetch on behalf of a person, from a proven address, answered 200 or 304 (\`citations\`). An answer may cite a page without another fetch, and may show it without a click. Both figures are therefore lower bounds.

Visitors from Google's AI answers arrive with the referrer of Google search. They count as search (\`referrers\`), not as referrals here. \`discovery\` lists pages that a search engine shows, according to a connected search-performance source, and that no AI search or answer bot fetched in the window. \`crawl_basis\` names the requests that count as fetches. Only the ${MAX_CHECKED} pages of the source with most impressions are checked.`,
  window: { defaultHours: 720 },
  parameters: z.object({
    min_impressions: integerParameter({
      min: 0,
      max: 1_000_000_000,
      default: 50,
      description: 'Least number of impressions in the last 28 days for a page in discovery.',
    }),
  }),
  segment: true,
  answer: aiFunnel,
  input: ({ min_impressions }, context): AiFunnelInput => ({
    min_impressions,
    connection: connectionFor(context),
  }),
});
