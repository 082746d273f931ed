import { useAddress } from '../../address.js';
import type { Answer } from '../../api/operations.js';
import type { ReadState } from '../../api/use-read.js';
import { BarList } from '../../charts/bar-list.js';
import { exact, percent, short } from '../../format.js';
import { Card } from '../../parts/card.js';
import { columnsOf } from '../../parts/columns.js';

type Performance = Answer<'getSearchPerformance'>;
type Page = Performance['top_pages'][number];

const MOST_ROWS = 15;
const column = columnsOf<Page>();

/** Pages with most clicks. A click shows the queries of the page. */
export function TopPages({ performance }: { readonly performance: ReadState<Performance> }) {
  const { address, go } = useAddress();
  const choose = (path: string) => {
    const { path: chosen, ...others } = address.rest;
    go({ rest: chosen === path ? others : { ...others, path } });
  };
  return (
    <Card
      title="Pages in search results"
      caption="click a page for its queries"
      read={performance}
      empty={{ when: ({ top_pages }) => !top_pages?.length, text: 'No page is known.' }}
      table={({ top_pages }) => ({
        caption: 'Pages in search results',
        rows: top_pages ?? [],
        columns: [
          column.text('Page', 'path'),
          column.number('Clicks', 'clicks'),
          column.number('Impressions', 'impressions'),
          column.number('Clicks per impression', 'ctr'),
          column.number('Position', 'position'),
        ],
      })}
    >
      {({ top_pages }) => (
        <BarList
          label="Pages in search results"
          tone="search"
          heads={['Page', 'Clicks', 'Impressions', 'Ratio', 'Position']}
          onPick={choose}
          bars={top_pages.slice(0, MOST_ROWS).map(({ path, clicks, impressions, ctr, position }) => ({
            key: path,
            label: path,
            value: clicks,
            isSelected: address.rest.path === path,
            cells: [short(impressions), percent(ctr === null ? null : ctr * 100), exact(position)],
          }))}
        />
      )}
    </Card>
  );
}
