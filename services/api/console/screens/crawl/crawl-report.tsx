import { scopeOf, useAddress } from '../../address.js';
import type { Answer } from '../../api/operations.js';
import { type ReadState, useRead } from '../../api/use-read.js';
import { BarList } from '../../charts/bar-list.js';
import { exact, percent, short } from '../../format.js';
import { Card } from '../../parts/card.js';
import { columnsOf } from '../../parts/columns.js';
import { Figures } from '../../parts/figures.js';
import { PathLink } from '../../parts/path-link.js';
import { useWebsite } from '../../parts/website.js';
import { NO_CRAWL } from './no-crawl.js';

type Report = Answer<'getCrawlReport'>;
type Ignored = Report['ignored'][number];
type Orphan = Report['orphans'][number];
type Depth = Report['by_depth'][number];

const ROWS_AT_FIRST = 12;
const ignored = columnsOf<Ignored>();
const orphan = columnsOf<Orphan>();
const depth = columnsOf<Depth>();

/** The pages of the crawl against the logs: fetched, ignored, and fetched without a link. */
export function CrawlReport() {
  const { address } = useAddress();
  const { website } = useWebsite();
  const report = useRead('getCrawlReport', website, scopeOf(address), { when: website !== null });
  return (
    <>
      <Summary report={report} />
      <div class="columns">
        <Shares report={report} list="by_depth" title="By depth" head="Links from the home page" />
        <Shares report={report} list="by_inlinks" title="By links to the page" head="Links to the page" />
      </div>
      <div class="columns">
        <IgnoredPages report={report} />
        <OrphanPages report={report} />
      </div>
    </>
  );
}

interface Part {
  readonly report: ReadState<Report>;
}

function Summary({ report }: Part) {
  return (
    <Card
      title="Crawl against logs"
      caption="indexable pages of the latest crawl · search crawlers of the window"
      read={report}
      empty={{ when: ({ available }) => available === false, text: NO_CRAWL }}
    >
      {({ summary }) => (
        <Figures
          figures={[
            {
              title: 'Pages',
              value: short(summary.pages_in_crawl),
              note: `${short(summary.indexable_pages)} indexable`,
            },
            { title: 'Fetched', value: short(summary.active), note: percent(summary.active_pct) },
            { title: 'Ignored', value: short(summary.ignored), note: 'by verified search crawlers' },
            { title: 'Orphans', value: short(summary.orphans), note: 'fetched, but not linked' },
            {
              title: 'Requests',
              value: short(summary.verified_hits),
              note: `verified, ${short(summary.unproved_hits)} unproved`,
            },
          ]}
        />
      )}
    </Card>
  );
}

function Shares({
  report,
  list,
  title,
  head,
}: Part & { readonly list: 'by_depth' | 'by_inlinks'; readonly title: string; readonly head: string }) {
  return (
    <Card
      title={title}
      caption="share of the pages that search crawlers fetched"
      read={report}
      empty={{ when: (answer) => !answer[list]?.length, text: NO_CRAWL }}
      table={(answer) => ({
        caption: title,
        rows: answer[list],
        columns: [
          depth.text(head, 'bucket'),
          depth.number('Fetched', 'crawled_pct'),
          depth.number('Pages', 'pages'),
          depth.number('Requests per page', 'hits_per_page'),
        ],
      })}
    >
      {(answer) => (
        <BarList
          label={title}
          tone="search"
          heads={[head, 'Fetched %', 'Pages', 'Requests per page']}
          bars={answer[list].map(({ bucket, pages, crawled_pct, hits_per_page }) => ({
            key: bucket,
            label: bucket,
            value: crawled_pct ?? 0,
            cells: [short(pages), exact(hits_per_page)],
          }))}
        />
      )}
    </Card>
  );
}

function IgnoredPages({ report }: Part) {
  return (
    <Card
      title="Ignored by search crawlers"
      caption="indexable pages without a request in the window"
      read={report}
      empty={{
        when: (answer) => !answer.ignored?.length,
        text: 'Search crawlers fetched every indexable page.',
      }}
      table={(answer) => ({
        caption: 'Ignored pages',
        first: ROWS_AT_FIRST,
        rows: answer.ignored,
        columns: [
          ignored.text('Page', 'url', ({ path, url }) => <PathLink path={path} url={url} />),
          ignored.number('Depth', 'depth'),
          ignored.number('Links', 'inlinks'),
          ignored.number('Impressions, 28 days', 'impressions_28d'),
        ],
      })}
    />
  );
}

function OrphanPages({ report }: Part) {
  return (
    <Card
      title="Orphans"
      caption="fetched by search crawlers; the crawl found no link"
      read={report}
      empty={{
        when: ({ orphans }) => !orphans?.length,
        text: 'The crawl knows every page that was fetched.',
      }}
      table={({ orphans }) => ({
        caption: 'Orphans',
        first: ROWS_AT_FIRST,
        rows: orphans,
        columns: [
          orphan.text('Page', 'path', ({ path }) => <PathLink path={path} />),
          orphan.number('Search crawlers', 'search_hits'),
          orphan.number('Last status', 'last_status', ({ last_status }) => (
            <span class={last_status !== null && last_status >= 400 ? 'bad' : ''}>{last_status ?? '–'}</span>
          )),
        ],
      })}
    />
  );
}
