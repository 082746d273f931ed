import { DAY_MS } from '../../../shared/durations.js';
import type { UsualOfCrawler } from '../memory/memory.js';
import { byName, type NamedRequests, samplesOf } from './by-name.js';
import { chanceOfShare, RARE } from './chance.js';
import { percent, span } from './figures.js';
import type { Finding, WebsiteView, WindowView } from './rule.js';
import { apartOrTogether, firstOf, listed } from './together.js';

/** With fewer requests, the usual share of a crawler is unknown. */
const LEAST_KNOWN = 200;
const LEAST_COUNT = 8;
const LEAST_SHARE = 0.15;
/** The share that raises no alert: twice the usual share, plus two points. */
const ALLOWED = { times: 2, more: 0.02 } as const;

export interface CrawlerShare {
  countOf(requests: Pick<NamedRequests, 'notFound' | 'rejected' | 'status5xx'>): number;
  usualOf(usual: UsualOfCrawler): number;
  /** 'met errors' */
  readonly what: string;
  readonly severity: Finding['severity'];
}

/** Verified search and AI crawlers, each with a share of its fetches far above twice the usual. */
export function findCrawlerShares(
  window: WindowView,
  website: WebsiteView,
  share: CrawlerShare,
): readonly Finding[] {
  const crawlers = byName(
    window.counts.byBot,
    ({ name }) => name,
    ({ category, verification }) =>
      (category === 'search' || category === 'ai') && verification === 'verified',
  );
  return crawlers.flatMap((crawler) => findingOf(crawler, window, website, share) ?? []);
}

function findingOf(
  crawler: NamedRequests,
  { start, end }: WindowView,
  { memory }: WebsiteView,
  { countOf, usualOf, what, severity }: CrawlerShare,
): Finding | null {
  const { name, requests, notFound, rejected, status5xx } = crawler;
  const family = crawler.parts[0]!.family || name;
  const count = countOf(crawler);
  const share = count / Math.max(1, requests);
  if (count < LEAST_COUNT || share < LEAST_SHARE) return null;
  const known = memory.usualOf(family, name);
  if (known === undefined || known.requests < LEAST_KNOWN || end - known.firstSeen < DAY_MS) return null;
  const usual = usualOf(known);
  const allowed = Math.min(0.9, ALLOWED.times * usual + ALLOWED.more);
  if (chanceOfShare(count, requests, allowed) > RARE) return null;
  return {
    subject: name,
    partOf: family,
    severity,
    message: `${percent(share)} % of the fetches by ${name} in ${span(end - start)} ${what} (${count} of ${requests}), usual are ${percent(usual)} %.`,
    details: {
      crawler_family: family,
      crawlers: [name],
      current_value: count,
      requests,
      current_share_pct: percent(share),
      baseline_share_pct: percent(usual),
      not_found: notFound,
      rejected,
      status_5xx: status5xx,
      ...samplesOf(crawler),
    },
  };
}

/** One alert for each crawler, or one together if there are many. */
export function joinCrawlerShares(
  findings: readonly Finding[],
  { what, severity }: CrawlerShare,
): readonly Finding[] {
  return apartOrTogether(
    findings,
    (one) => one,
    (several) => {
      const sum = (of: (details: Finding['details']) => unknown) =>
        several.reduce((all, { details }) => all + Number(of(details)), 0);
      const names = several.map(({ subject }) => subject);
      const [count, requests] = [sum((details) => details.current_value), sum((details) => details.requests)];
      return {
        severity,
        message: `${percent(count / requests)} % of the fetches by ${several.length} crawlers ${what} (${count} of ${requests}), far more than usual: ${firstOf(names)}.`,
        details: {
          crawler_families: listed([
            ...new Set(several.map(({ details }) => String(details.crawler_family))),
          ]),
          crawlers: listed(names),
          current_value: count,
          requests,
          current_share_pct: percent(count / requests),
          not_found: sum((details) => details.not_found),
          rejected: sum((details) => details.rejected),
          status_5xx: sum((details) => details.status_5xx),
          sample_user_agent: several[0]!.details.sample_user_agent,
          sample_ip: several[0]!.details.sample_ip,
          sample_paths: several[0]!.details.sample_paths,
        },
      };
    },
  );
}
