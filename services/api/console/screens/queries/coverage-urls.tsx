import { useAddress } from '../../address.js';
import type { Answer } from '../../api/operations.js';
import { useRead } from '../../api/use-read.js';
import { ago, logText, NOT_KNOWN } from '../../format.js';
import { Card } from '../../parts/card.js';
import { columnsOf } from '../../parts/columns.js';
import { DataTable, type Table } from '../../parts/data-table.js';
import { Pager, pageOf } from '../../parts/pager.js';
import { PathLink } from '../../parts/path-link.js';
import { useWebsite } from '../../parts/website.js';
import { buckets, useCoverageChoice } from './buckets.js';

type Coverage = Answer<'getIndexCoverageUrls'>;
type Url = Coverage['urls'][number];

const PAGE_SIZE = 25;
const column = columnsOf<Url>();

/** Pages of the chosen bucket and directory. */
export function CoverageUrls() {
  const { address } = useAddress();
  const { website } = useWebsite();
  const { bucket, directory } = useCoverageChoice();
  const page = pageOf(address.rest.page);
  const urls = useRead(
    'getIndexCoverageUrls',
    website,
    { bucket, directory, page, page_size: PAGE_SIZE },
    { when: website !== null },
  );
  return (
    <Card
      title="Pages"
      caption={[buckets.get(bucket ?? '') ?? 'all buckets', directory ?? 'all directories']
        .map(logText)
        .join(' · ')}
      read={urls}
      empty={{ when: ({ total }) => total === 0, text: 'No page is in this bucket.' }}
      table={tableOf}
    >
      {(answer) => (
        <>
          <DataTable table={tableOf(answer)} />
          <Pager page={page} pages={answer.total_pages} total={answer.total} />
        </>
      )}
    </Card>
  );
}

function tableOf({ urls }: Coverage): Table {
  return {
    caption: 'Pages of index coverage',
    rows: urls,
    columns: [
      column.text('Page', 'url_path', ({ url_path }) => <PathLink path={url_path} />),
      column.text('What the engine says', 'index_status_reason', ({ index_status_reason }) =>
        index_status_reason === null ? NOT_KNOWN : logText(index_status_reason),
      ),
      column.text('Crawled', 'last_crawled_at', ({ last_crawled_at }) => ago(last_crawled_at)),
      column.number('Crawls', 'crawl_count'),
      column.number('Impressions, 28 days', 'impressions_28d'),
      column.number('Clicks', 'clicks_28d'),
    ],
  };
}
