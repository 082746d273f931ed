import type { Answer } from '../../api/operations.js';
import type { ReadState } from '../../api/use-read.js';
import { BarList } from '../../charts/bar-list.js';
import { exact, percent, short } from '../../format.js';
import { Card } from '../../parts/card.js';
import { columnsOf } from '../../parts/columns.js';

type Performance = Answer<'getSearchPerformance'>;
type Query = Performance['top_queries'][number];

const MOST_ROWS = 15;
const column = columnsOf<Query>();

/** Queries with most clicks. */
export function TopQueries({ performance }: { readonly performance: ReadState<Performance> }) {
  return (
    <Card
      title="Queries"
      caption="the source keeps rare queries back"
      read={performance}
      empty={{ when: ({ top_queries }) => !top_queries?.length, text: 'No query is known.' }}
      table={({ top_queries }) => ({
        caption: 'Queries',
        rows: top_queries ?? [],
        columns: [
          column.text('Query', 'query'),
          column.number('Clicks', 'clicks'),
          column.number('Impressions', 'impressions'),
          column.number('Clicks per impression', 'ctr'),
          column.number('Position', 'position'),
        ],
      })}
    >
      {({ top_queries }) => (
        <BarList
          label="Queries"
          tone="search"
          heads={['Query', 'Clicks', 'Impressions', 'Ratio', 'Position']}
          bars={top_queries.slice(0, MOST_ROWS).map(({ query, clicks, impressions, ctr, position }) => ({
            key: query,
            label: query,
            value: clicks,
            cells: [short(impressions), percent(ctr === null ? null : ctr * 100), exact(position)],
          }))}
        />
      )}
    </Card>
  );
}
