import type { Answer } from '../../api/operations.js';
import { useRead } from '../../api/use-read.js';
import { TimeChart } from '../../charts/time-chart.js';
import { exact, logText, percent } from '../../format.js';
import { Card } from '../../parts/card.js';
import { columnsOf } from '../../parts/columns.js';
import { DataTable, type Table } from '../../parts/data-table.js';
import { PathLink } from '../../parts/path-link.js';
import { useWebsite } from '../../parts/website.js';

type Queries = Answer<'getSearchQueries'>;
type Query = Queries['top_queries'][number];

const column = columnsOf<Query>();

/** The queries of one page in the last 28 days of data. */
export function PageQueries({ path }: { readonly path: string }) {
  const { website } = useWebsite();
  const queries = useRead('getSearchQueries', website, { path }, { when: website !== null });
  return (
    <Card
      title={`Queries of ${logText(path)}`}
      caption="the last 28 days of data"
      read={queries}
      empty={{
        when: ({ available, daily }) => available === false || !daily?.length,
        text: 'The source reports no query of this page.',
      }}
      table={tableOf}
    >
      {(answer) => (
        <>
          <p>
            <PathLink path={path} text="everything about this page" />
          </p>
          <TimeChart
            label="Clicks by day"
            times={answer.daily.map(({ day }) => Date.parse(day))}
            series={[
              { name: 'Clicks', colour: '--search', values: answer.daily.map(({ clicks }) => clicks) },
            ]}
          />
          <DataTable table={tableOf(answer)} />
        </>
      )}
    </Card>
  );
}

function tableOf({ top_queries }: Queries): Table {
  return {
    caption: 'Queries of the page',
    rows: top_queries ?? [],
    columns: [
      column.text('Query', 'query'),
      column.number('Clicks', 'clicks'),
      column.number('Impressions', 'impressions'),
      column.number('Clicks per impression', 'ctr', ({ ctr }) => percent(ctr === null ? null : ctr * 100)),
      column.number('Position', 'position', ({ position }) => exact(position)),
    ],
  };
}
