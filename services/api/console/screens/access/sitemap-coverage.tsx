import { useAddress } from '../../address.js';
import type { Answer } from '../../api/operations.js';
import { useRead } from '../../api/use-read.js';
import { BarList } from '../../charts/bar-list.js';
import { ago, logText, percent, short } from '../../format.js';
import { Card } from '../../parts/card.js';
import { columnsOf } from '../../parts/columns.js';
import { useWebsite } from '../../parts/website.js';

type Sitemap = Answer<'getSitemap'>;
export type CoverageStatus = keyof Sitemap['totals'];

interface Part {
  readonly status: CoverageStatus;
  readonly title: string;
  readonly urls: number | null;
}

const titles: readonly (readonly [CoverageStatus, string])[] = [
  ['all', 'All listed pages'],
  ['recently_crawled', 'Crawled in the last 30 days'],
  ['stale', 'Crawled 30 to 90 days ago'],
  ['never_crawled', 'Not crawled in 90 days'],
  ['not_in_sitemap', 'Crawled, but in no sitemap'],
];
const reasons: ReadonlyMap<string, string> = new Map([
  [
    'not_fetched_yet',
    'The sitemaps were not fetched yet. Those of a new website are fetched within minutes.',
  ],
  [
    'fetching_is_off',
    'This installation does not fetch from websites. An operator adds a sitemap: npm run admin -- sitemaps store --website <id> --file sitemap.xml',
  ],
  ['no_sitemap', 'robots.txt names no sitemap, and there is none in the usual places.'],
  ['not_read_yet', 'No sitemap could be read.'],
]);
const bases: ReadonlyMap<string, string> = new Map([
  ['verified', 'Only fetches of verified crawlers count.'],
  ['unproved', 'No fetch could be verified, so fetches count by the name that the crawler gives.'],
]);
const column = columnsOf<Part>();

/** The list that the address chooses. */
export function useChosenStatus(): CoverageStatus {
  const { address } = useAddress();
  return titles.find(([status]) => status === address.rest.list)?.[0] ?? 'all';
}

/** How much of the sitemaps search crawlers fetch. A click chooses the list below. */
export function SitemapCoverage() {
  const { address, go } = useAddress();
  const { website } = useWebsite();
  const chosen = useChosenStatus();
  const sitemap = useRead('getSitemap', website, { page_size: 1 }, { when: website !== null });
  const choose = (list: string) => go({ rest: { tab: address.rest.tab ?? '', list } });
  return (
    <Card
      title="Sitemap coverage"
      caption="listed pages and search crawlers, last 90 days"
      read={sitemap}
      table={(answer) => ({
        caption: 'Sitemap coverage',
        rows: partsOf(answer),
        columns: [column.text('Pages', 'title'), column.number('URLs', 'urls')],
      })}
    >
      {(answer) => (
        <>
          {answer.reason === null ? null : (
            <p class="notice warning">{reasons.get(answer.reason) ?? answer.reason.replaceAll('_', ' ')}</p>
          )}
          <BarList
            label="Sitemap coverage"
            tone="search"
            heads={['Pages', 'URLs', 'Share of listed']}
            onPick={choose}
            bars={partsOf(answer).map(({ status, title, urls }) => ({
              key: status,
              label: title,
              value: urls ?? 0,
              isSelected: status === chosen,
              cells: [status === 'not_in_sitemap' ? '' : percent(shareOf(urls, answer.totals.all))],
            }))}
          />
          <Snapshot sitemap={answer} />
        </>
      )}
    </Card>
  );
}

function partsOf({ totals }: Sitemap): Part[] {
  return titles.map(([status, title]) => ({ status, title, urls: totals[status] }));
}

function shareOf(part: number | null, all: number | null): number | null {
  return part === null || all === null || all === 0 ? null : (part / all) * 100;
}

/** How the sitemaps were read. */
function Snapshot({ sitemap: { snapshot, crawl_basis } }: { readonly sitemap: Sitemap }) {
  if (snapshot === null) return null;
  return (
    <>
      <p class="caption">
        {short(snapshot.files)} sitemaps, read {ago(snapshot.last_successful_fetch_at)}
        {snapshot.fetch_complete ? '' : ', not to the end'}. {bases.get(crawl_basis) ?? ''}
      </p>
      {snapshot.problems.map(({ sitemap, message }) => (
        <p key={sitemap} class="notice warning">
          {logText(sitemap)}: {logText(message)}
        </p>
      ))}
    </>
  );
}
