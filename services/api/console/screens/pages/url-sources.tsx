import type { ComponentChildren } from 'preact';
import { useAddress } from '../../address.js';
import type { ReadState } from '../../api/use-read.js';
import { exact, logText, moment, NOT_KNOWN, percent, short, words } from '../../format.js';
import { Card } from '../../parts/card.js';
import { FactsList } from '../../parts/facts-list.js';
import { PathLink } from '../../parts/path-link.js';
import type { UrlAnswer } from './url-answer.js';

/** Ranks have six digits. */
const SMALLEST_RANK = 0.000_001;
const FEW_LINKS = 5;

interface Part {
  readonly url: ReadState<UrlAnswer>;
}

/** The URL in the latest crawl of the website. */
export function UrlCrawl({ url }: Part) {
  const { link } = useAddress();
  return (
    <Card
      title="Site crawl"
      read={url}
      empty={{
        when: ({ crawl }) => crawl.available && crawl.in_crawl === false,
        text: 'The latest crawl did not find this URL.',
      }}
    >
      {({ crawl }) =>
        crawl.available ? (
          <>
            <FactsList
              facts={[
                ['Status in the crawl', exact(crawl.status)],
                ['Indexable', yesOrNo(crawl.indexable)],
                ['Clicks from the home page', exact(crawl.depth)],
                ['Links to it', short(crawl.inlinks)],
                ['Links from it', short(crawl.outlinks_internal)],
                ['Page rank; the top page has 1', rankText(crawl.pagerank)],
                ['Canonical URL', textOf(crawl.canonical)],
                ...(crawl.redirect_to === null ? [] : [['Redirects to', textOf(crawl.redirect_to)] as const]),
                ['Crawled', moment(crawl.completed_at)],
              ]}
            />
            <Findings findings={crawl.findings} />
            <LinkedFrom paths={crawl.linked_from} all={crawl.inlinks} />
          </>
        ) : (
          <Unavailable reason={crawl.reason}>
            <a href={link({ screen: 'crawl' })}>Site crawl</a>
          </Unavailable>
        )
      }
    </Card>
  );
}

type Crawl = UrlAnswer['crawl'];

function rankText(rank: number | null): string {
  if (rank === null) return NOT_KNOWN;
  return rank > 0 && rank < SMALLEST_RANK
    ? `less than ${SMALLEST_RANK}`
    : rank.toLocaleString(undefined, { maximumSignificantDigits: 2 });
}

function Findings({ findings }: { readonly findings: Crawl['findings'] }) {
  const { link } = useAddress();
  if (findings === null) return null;
  if (findings.length === 0) return <p class="note">No finding of the crawl is about this page.</p>;
  return (
    <p>
      Findings:{' '}
      {findings.map(({ key, problem }) => (
        <a
          key={`${key} ${problem}`}
          href={link({ screen: 'crawl', rest: { tab: 'findings', finding: key } })}
        >
          {words(key)}
          {problem === '' ? '' : ` (${words(problem)})`}{' '}
        </a>
      ))}
    </p>
  );
}

function LinkedFrom({ paths, all }: { readonly paths: Crawl['linked_from']; readonly all: number | null }) {
  if (paths === null || paths.length === 0) return null;
  return (
    <details open={paths.length <= FEW_LINKS}>
      <summary>
        Linked from {short(paths.length)}
        {all !== null && all > paths.length ? ` of ${short(all)}` : ''} pages
      </summary>
      <ul class="plain">
        {paths.map((path) => (
          <li key={path}>
            <PathLink path={path} />
          </li>
        ))}
      </ul>
    </details>
  );
}

/** Whether the sitemaps list the URL. */
export function UrlSitemap({ url }: Part) {
  return (
    <Card title="Sitemap" read={url}>
      {({ sitemap }) => (
        <FactsList
          facts={[
            ['In the sitemaps', sitemap.membership_status.replaceAll('_', ' ')],
            ['All sitemaps were read', sitemap.membership_confirmed ? 'yes' : 'no: one could not be read'],
            ['Last listed', moment(sitemap.last_seen)],
            ...(sitemap.removed ? [['Removed', moment(sitemap.removed_at)] as const] : []),
            ['Sitemaps read', moment(sitemap.last_successful_fetch_at)],
            ['Fetched by search crawlers', `${short(sitemap.times_crawled)} times (${sitemap.crawl_basis})`],
            ['Last fetched by', textOf(sitemap.last_crawled_by)],
          ]}
        />
      )}
    </Card>
  );
}

/** Figures of the URL in web analytics and in the logs. */
export function UrlAnalytics({ url }: Part) {
  const { link } = useAddress();
  return (
    <Card title="Web analytics" read={url}>
      {({ analytics }) =>
        analytics.available ? (
          <FactsList
            facts={[
              [
                'Days',
                analytics.window === null ? NOT_KNOWN : `${analytics.window.from} to ${analytics.window.to}`,
              ],
              ['Sessions', short(analytics.sessions)],
              ['Page views', short(analytics.pageviews)],
              ['Sessions from AI', short(analytics.ai_sessions)],
              ['Sessions from search', short(analytics.search_sessions)],
              ['Key events', short(analytics.key_events)],
              ['Revenue', `${exact(analytics.revenue)} ${analytics.currency ?? ''}`],
              ['Not measured', gapOf(analytics.measurement_gap)],
            ]}
          />
        ) : (
          <Unavailable reason={analytics.reason}>
            <a href={link({ screen: 'settings' })}>Connections</a>
          </Unavailable>
        )
      }
    </Card>
  );
}

function gapOf(gap: UrlAnswer['analytics']['measurement_gap']): string {
  if (gap === null || !gap.available) return NOT_KNOWN;
  return `${percent(gap.unmeasured_pct)} of ${short(gap.log_human_page_requests)} page requests in the logs`;
}

/** Why a source has nothing, and where to change that. */
export function Unavailable({
  reason,
  children,
}: {
  readonly reason: string | null;
  readonly children: ComponentChildren;
}) {
  return (
    <p class="empty">
      {reasons.get(reason ?? '') ?? `Not available: ${(reason ?? 'unknown').replaceAll('_', ' ')}.`}{' '}
      {children}
    </p>
  );
}

const reasons: ReadonlyMap<string, string> = new Map([
  ['no_crawl', 'The website was not crawled yet.'],
  ['missing_results', 'The results of the latest crawl are missing.'],
  ['gsc_not_connected', 'No search console is connected.'],
  ['not_inspected', 'The search engine did not inspect this URL yet.'],
  ['lookup_failed', 'The search console did not answer.'],
]);

function yesOrNo(value: boolean | null): string {
  return value === null ? NOT_KNOWN : value ? 'yes' : 'no';
}

export function textOf(value: string | null): string {
  return value === null || value === '' ? NOT_KNOWN : logText(value);
}
