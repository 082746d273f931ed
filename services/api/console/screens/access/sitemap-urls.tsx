import { useAddress } from '../../address.js';
import type { Answer } from '../../api/operations.js';
import { useRead } from '../../api/use-read.js';
import { day, moment } from '../../format.js';
import { Card } from '../../parts/card.js';
import { columnsOf } from '../../parts/columns.js';
import { DataTable, type Table } from '../../parts/data-table.js';
import { Pager, pageOf } from '../../parts/pager.js';
import { PathLink } from '../../parts/path-link.js';
import { useWebsite } from '../../parts/website.js';
import { useChosenStatus } from './sitemap-coverage.js';

type Sitemap = Answer<'getSitemap'>;
type Url = Sitemap['urls'][number];

const PAGE_SIZE = 25;
const column = columnsOf<Url>();

/** Pages of the chosen list, those of the oldest fetch first. */
export function SitemapUrls() {
  const { address } = useAddress();
  const { website } = useWebsite();
  const status = useChosenStatus();
  const page = pageOf(address.rest.page);
  const urls = useRead(
    'getSitemap',
    website,
    { status, page, page_size: PAGE_SIZE, sort: 'last_crawled' },
    { when: website !== null },
  );
  return (
    <Card
      title="Pages"
      caption={`${status.replaceAll('_', ' ')}, those crawled longest ago first`}
      read={urls}
      empty={{ when: ({ total }) => !total, text: 'No page is in this list.' }}
      table={tableOf}
    >
      {(answer) => (
        <>
          <DataTable table={tableOf(answer)} />
          <Pager page={page} pages={answer.total_pages ?? 1} total={answer.total ?? 0} />
        </>
      )}
    </Card>
  );
}

function tableOf({ urls }: Sitemap): Table {
  return {
    caption: 'Pages of the sitemaps',
    rows: urls ?? [],
    columns: [
      column.text('Page', 'url', ({ path, url }) => <PathLink path={path} url={url} />),
      column.text('Last crawl', 'last_crawl_date', ({ last_crawl_date }) =>
        last_crawl_date === null ? 'not in 90 days' : moment(last_crawl_date),
      ),
      column.text('By', 'last_crawled_by'),
      column.number('Crawls', 'crawl_count'),
      column.number('Status', 'response_code'),
      column.text('Last modified', 'lastmod', ({ lastmod }) => day(lastmod)),
    ],
  };
}
