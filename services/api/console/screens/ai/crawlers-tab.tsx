import { scopeOf, useAddress } from '../../address.js';
import type { Answer } from '../../api/operations.js';
import { type ReadState, useRead } from '../../api/use-read.js';
import { FigureTiles } from '../../charts/figure-tiles.js';
import { percent, short } from '../../format.js';
import { useWebsite } from '../../parts/website.js';
import { AiCrawlers } from './ai-crawlers.js';
import { AiPages } from './ai-pages.js';
import { AiRequests } from './ai-requests.js';

/** Crawlers of AI operators: requests of each, their intent, their course over time, and the pages. */
export function CrawlersTab() {
  const { address } = useAddress();
  const { website } = useWebsite();
  const llms = useRead('getLlms', website, scopeOf(address), { when: website !== null });
  return (
    <>
      <Figures llms={llms} />
      <AiRequests llms={llms} />
      <AiCrawlers llms={llms} />
      <AiPages llms={llms} />
    </>
  );
}

function Figures({ llms }: { readonly llms: ReadState<Answer<'getLlms'>> }) {
  return (
    <FigureTiles
      read={llms}
      count={5}
      tiles={({
        total_ai_requests,
        ai_percentage,
        intent_totals,
        unique_pages_crawled,
        pages_by_intent,
        deltas,
      }) => [
        {
          title: 'AI requests',
          figure: short(total_ai_requests),
          note: `${percent(ai_percentage)} of all requests`,
          change: deltas?.total_ai_requests_pct,
        },
        {
          title: 'For training',
          figure: short(intent_totals.training),
          note: `${short(pages_by_intent.training)} pages`,
          change: deltas?.training_pct,
        },
        {
          title: 'For search',
          figure: short(intent_totals.search),
          note: `${short(pages_by_intent.search)} pages`,
          change: deltas?.search_pct,
        },
        {
          title: 'For a person who asks',
          figure: short(intent_totals.fetcher),
          note: `${short(pages_by_intent.fetcher)} pages`,
          change: deltas?.fetcher_pct,
        },
        {
          title: 'Pages read',
          figure: short(unique_pages_crawled),
          note: 'distinct, without assets',
          change: deltas?.unique_pages_crawled_pct,
        },
      ]}
    />
  );
}
