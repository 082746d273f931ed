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
  summary: 'What AI operators fetch, and the visits that come back',
  description: `Beside each other, by operator: what its crawlers fetched for answers (\`fetches\`: intents search and fetcher), what they took for training, and the visits that its assistants sent (\`referrals\`). ${visitRule} In the terms of the market a visit is a click, and a citation is a fetch on behalf of a person, from a proven address, answered 200 or 304 (\`citations\`). An answer may cite a page without fetching it again, and show it without a click, so that both are lower bounds.

Google's AI answers send visitors with the referrer of its search: they count as search (\`referrers\`), not as referrals here. \`discovery\` names pages that a search engine shows, by a connected search-performance source, and that no AI search or answer bot fetched in the window, by the requests that its \`crawl_basis\` names; of the source's pages the ${MAX_CHECKED} with most impressions are looked at.`,
  window: { defaultHours: 720 },
  parameters: z.object({
    min_impressions: integerParameter({
      min: 0,
      max: 1_000_000_000,
      default: 50,
      description: 'Fewest impressions of the last 28 days of a page in discovery.',
    }),
  }),
  segment: true,
  answer: aiFunnel,
  input: ({ min_impressions }, context): AiFunnelInput => ({
    min_impressions,
    connection: connectionFor(context),
  }),
});
