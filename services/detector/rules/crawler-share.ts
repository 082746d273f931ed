import { DAY_MS } from '../../../shared/durations.js';
import type { CrawlerMemory } from '../memory.js';
import { byName, type NamedRequests, samplesOf } from './by-name.js';
import { chanceOfShare, RARE } from './chance.js';
import { percent, span } from './figures.js';
import type { Finding, WebsiteView, WindowView } from './rule.js';

/** A crawler that is new meets what it meets: nobody can tell yet what is usual of it. */
const LEAST_KNOWN = 200;
const LEAST_COUNT = 8;
const LEAST_SHARE = 0.15;
/** What the share may rise to by nothing that an alert is for: twice the usual and so much. */
const ALLOWED = { times: 2, more: 0.02 } as const;

export interface CrawlerShare {
  countOf(requests: NamedRequests): number;
  usualOf(memory: CrawlerMemory): number;
  /** 'met errors' */
  readonly what: string;
  readonly severity: Finding['severity'];
}

/** Verified crawlers (search and AI), by family, with a share of their fetches far above twice the usual. */
export function findCrawlerShares(
  window: WindowView,
  { memory }: WebsiteView,
  { countOf, usualOf, what, severity }: CrawlerShare,
): readonly Finding[] {
  const crawlers = byName(
    window.counts.byBot,
    ({ family, name }) => family || name,
    ({ category, verification }) =>
      (category === 'search' || category === 'ai') && verification === 'verified',
  );
  return crawlers.flatMap((crawler): Finding[] => {
    const count = countOf(crawler);
    const share = count / Math.max(1, crawler.requests);
    const known = memory.crawler(crawler.name);
    if (known === undefined || known.requests < LEAST_KNOWN || window.end - known.firstSeen < DAY_MS)
      return [];
    const usual = usualOf(known);
    if (count < LEAST_COUNT || share < LEAST_SHARE) return [];
    const allowed = Math.min(0.9, ALLOWED.times * usual + ALLOWED.more);
    if (chanceOfShare(count, crawler.requests, allowed) > RARE) return [];
    return [
      {
        subject: crawler.name,
        severity,
        message: `${percent(share)} % of the fetches by ${crawler.name} in ${span(window.end - window.start)} ${what} (${count} of ${crawler.requests}), usual are ${percent(usual)} %.`,
        details: {
          crawler_family: crawler.name,
          crawlers: [...new Set(crawler.parts.map(({ name }) => name))],
          current_value: count,
          requests: crawler.requests,
          current_share_pct: percent(share),
          baseline_share_pct: percent(usual),
          not_found: crawler.notFound,
          rejected: crawler.rejected,
          status_5xx: crawler.status5xx,
          ...samplesOf(crawler),
        },
      },
    ];
  });
}
